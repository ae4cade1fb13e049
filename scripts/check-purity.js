// check-purity: what the import checker cannot see. In pure folders no clock, no chance, no waiting, nothing of the
// process or the machine it runs on (E1); everywhere, what would break a bundle or the table of folders.
// Looks at the syntax tree, so a word in a comment, a string or after a dot is not a breach.

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const { mayImport, pure } = createRequire(import.meta.url)('./folders.cjs');

/** Global names that reach out of a function's arguments. */
const impureGlobals = new Set(
  (
    'process console globalThis global window setTimeout setInterval setImmediate queueMicrotask clearTimeout performance ' +
    'crypto fetch Promise Intl require Buffer __dirname __filename navigator WebAssembly Atomics'
  ).split(' '),
);
/** Members that depend on the clock, on chance, on the time zone or the language of the machine. */
const impureMembers = new Set(
  (
    'Date.now Math.random localeCompare toLocaleString toLocaleDateString toLocaleTimeString toLocaleUpperCase toLocaleLowerCase ' +
    'getHours getMinutes getDate getDay getMonth getFullYear getTimezoneOffset toDateString toTimeString'
  ).split(' '),
);

/**
 * @param {string} root the project's folder
 * @returns {{ file: string, line: number, what: string }[]}
 */
export function impurities(root) {
  const found = [];
  for (const folder of readdirSync(join(root, 'src'), { withFileTypes: true })) {
    if (!folder.isDirectory()) continue;
    const files = sources(join(root, 'src', folder.name));
    if (files.length > 0 && !(folder.name in mayImport)) {
      found.push({
        file: `src/${folder.name}/`,
        line: 1,
        what: 'a folder that scripts/folders.cjs does not know',
      });
    }
    for (const file of files) {
      const look = (what, line) => found.push({ file: relative(root, file), line, what });
      inspect(file, folder.name in pure, look);
    }
  }
  return found;
}

function sources(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.ts') && !/\.(test|contract)\.ts$|(^|\/)fixtures\//.test(name))
    .map((name) => join(folder, name));
}

function inspect(path, isPure, report) {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true);
  const declared = declaredNames(file);
  const visit = (node) => {
    const what = (isPure && impurity(node, declared)) || bundleBreaker(node);
    if (what) report(what, file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1);
    ts.forEachChild(node, visit);
  };
  visit(file);
}

function impurity(node, declared) {
  if (node.kind === ts.SyntaxKind.AsyncKeyword) return 'async';
  if (ts.isAwaitExpression(node)) return 'await';
  if (ts.isForOfStatement(node) && node.awaitModifier) return 'for await';
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return 'import()';
  if (isDate(node, declared)) return 'the current time (new Date without an argument)';
  if (ts.isPropertyAccessExpression(node)) {
    const member = node.name.text;
    const whole = `${node.expression.getText()}.${member}`;
    if (impureMembers.has(whole)) return whole;
    if (impureMembers.has(member)) return `.${member}`;
  }
  if (ts.isIdentifier(node) && isSegmenter(node)) return undefined;
  if (ts.isIdentifier(node) && impureGlobals.has(node.text) && !declared.has(node.text) && isReference(node))
    return node.text;
  return undefined;
}

/** Where a character ends is the same for everybody; the rest of Intl asks for the machine's language. */
function isSegmenter({ parent, text }) {
  return text === 'Intl' && parent.getText() === 'Intl.Segmenter';
}

function isDate(node, declared) {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return false;
  if (node.expression.getText() !== 'Date' || declared.has('Date')) return false;
  return ts.isCallExpression(node) || (node.arguments ?? []).length === 0;
}

/** B3 of scripts/build.js: after bundling, import.meta is of another file. Only src/app.ts reckons with that. */
function bundleBreaker(node) {
  return ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword
    ? 'import.meta outside src/app.ts'
    : undefined;
}

/** A name that is used, not one that is only spelt: a member, a key, a label of a type's field. */
function isReference(node) {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return false;
  if (ts.isQualifiedName(parent) && parent.right === node) return false;
  const isKey = 'name' in parent && parent.name === node;
  return !isKey || ts.isShorthandPropertyAssignment(parent);
}

/** Names that the file binds itself: a parameter `process` is not Node's. */
function declaredNames(file) {
  const names = new Set();
  const visit = (node) => {
    const binds =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isImportSpecifier(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node);
    if (binds && node.name && ts.isIdentifier(node.name)) names.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = impurities(resolve(dirname(fileURLToPath(import.meta.url)), '..'));
  for (const { file, line, what } of found) console.error(`${file}:${line}: ${what}`);
  console.log(found.length === 0 ? 'Pure folders are pure.' : `${found.length} breaches`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
