// program-parts: the parts that esbuild made of the program → one CommonJS file, and where in it each part stands.
// CommonJS: V8 can keep its compiled code (scripts/launcher.cjs), which it cannot for ES modules in Node 20.
// P1. The file is a program by itself: `require` of it gives what src/app.ts exports. The launcher cuts the parts out of it.
// P2. Between parts names are handed over once, when the part that has them has run: calling one costs what a call costs. So
//     nothing that is exported may be assigned later; the build looks.

import { transform } from 'esbuild';

/** Modules of Node that take a millisecond or more to load, and that many commands name and never use. */
const LAZY = [
  'child_process',
  'crypto',
  'fs/promises',
  'http',
  'module',
  'net',
  'perf_hooks',
  'readline',
  'stream',
  'zlib',
];

/** Packages of the same kind: each is a part of its own. */
export const LAZY_PACKAGES = ['re2js', 'yaml'];

const FIRST = './app.js';
const PARAMETERS = 'exports,require,module,__filename,__dirname';

/** Stands in a part, for `require` of those: the module is loaded when something of it is asked for. */
function __lazily(name) {
  let found;
  const get = (_, key) => {
    found ??= require(name);
    return found[key];
  };
  return new Proxy({}, { get });
}

/** Loads the parts where there is no launcher. */
function __start(parts) {
  const made = {};
  const load = (name) => {
    if (!(name in parts)) return require(name);
    if (made[name]) return made[name].exports;
    made[name] = { exports: {} };
    parts[name](made[name].exports, load, made[name], __filename, __dirname);
    return made[name].exports;
  };
  return load('./app.js');
}

/**
 * @param {{ name: string, text: string }[]} parts
 * @param {{ name: string, text: string }[]} packages CommonJS, each by itself
 * @returns `head`: how many bytes the first line has. It says where each part begins after it, how long that is, and in which line.
 */
export async function joinParts(parts, packages) {
  const texts = [
    ...(await Promise.all(parts.map(async ({ name, text }) => [`./${name}`, await partText(name, text)]))),
    ...packages.map(({ name, text }) => [name, ascii(`function(${PARAMETERS}){${text}}`)]),
  ];
  const places = {};
  let text = 'module.exports=__start({\n';
  let line = 3;
  for (const [name, part] of texts) {
    text += `${JSON.stringify(name)}:\n`;
    places[name] = [text.length, part.length, line];
    text += `${part},\n`;
    line += part.split('\n').length + 1;
  }
  if (!(FIRST in places)) throw new Error(`no part is called ${FIRST}`);
  const head = `//${JSON.stringify(places)}\n`;
  return { text: `${head}${text}});\n${oneLine(__start)}\n`, head: head.length };
}

async function partText(file, text) {
  const { imports, exported, whole, body } = takenApart(text);
  for (const { local } of exported) refuseLaterChange(file, local, body);
  // What is left are modules of Node, whose names esbuild looks up when they are used.
  const { code } = await transform(
    body.replace(/\bimport\(("[^"]+")\)/g, 'Promise.resolve().then(()=>require($1))'),
    {
      format: 'cjs',
      minifyWhitespace: true,
      supported: { 'dynamic-import': false },
    },
  );
  const names = exported.map(({ local, name }) => `${name}:${local}`);
  // A CommonJS package by itself: its names are found in what it is.
  const given = whole === undefined ? `{${names}}` : `${whole},{default:${whole}}`;
  return ascii(`function(${PARAMETERS}){${imports}${lazily(code)}Object.assign(exports,${given})}`);
}

/** esbuild writes the imports first and an export last. Those of other parts become calls; those of Node stay. */
function takenApart(text) {
  let imports = '';
  let rest = '';
  let at = 0;
  for (const [statement, names, from] of text.matchAll(
    /import(?:\{([^}]*)\}from)?"(\.\/[^"]+)";|import[^;]*;/gy,
  )) {
    at += statement.length;
    if (from === undefined) rest += statement;
    else
      imports +=
        names === undefined
          ? `require("${from}");`
          : `const{${pairs(names).map(({ local, name }) => `${local}:${name}`)}}=require("${from}");`;
  }
  const last = /export(?:\{([^}]*)\}| default ([^;]*));\s*$/.exec(text);
  const [, names = '', whole] = last ?? [];
  return { imports, exported: pairs(names), whole, body: rest + text.slice(at, last?.index) };
}

/** `a as b, c`: the name that it has here, and the name after `as`. */
function pairs(names) {
  return names
    .split(',')
    .filter(Boolean)
    .map((each) => {
      const [local, name = local] = each.trim().split(' as ');
      return { local, name };
    });
}

/** (P2) */
function refuseLaterChange(file, name, body) {
  const escaped = name.replaceAll('$', '\\$');
  const changed = new RegExp(
    `(?<![\\w$.])${escaped}(?:[-+*/%&|^?]{0,3}=(?![=>])|\\+\\+|--)|(?:\\+\\+|--)${escaped}(?![\\w$])`,
    'g',
  );
  if ([...body.matchAll(changed)].length > 1)
    throw new Error(`${file}: ${name} is exported, and is assigned more than once`);
}

function lazily(text) {
  const names = [...LAZY, ...LAZY_PACKAGES].join('|');
  const named = new RegExp(`\\b(?:__)?require\\(("(?:node:)?(?:${names})")\\)`, 'g');
  const changed = text.replace(named, '__lazily($1)');
  // A default import, or all of it, is a copy made at once: of a stand-in nothing would be in it.
  if (changed.includes('__toESM(__lazily('))
    throw new Error(`import what is used of these by name: ${LAZY.join(', ')}`);
  return changed === text ? text : oneLine(__lazily) + changed;
}

function oneLine(written) {
  return written.toString().replace(/\s*\n\s*/g, ' ');
}

/** The launcher reads it as Latin-1. esbuild escapes what stands in strings; this is for patterns. */
export function ascii(text) {
  return text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
