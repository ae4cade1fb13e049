#!/usr/bin/env node
// launcher: becomes dist/lockstep.js. Answers --version by itself (B1), leaves `hook CLIENT` to hook.cjs (B5), and otherwise loads
// the program.
// A start is mostly the compiling of two megabytes of JavaScript, and V8 can keep what came of it. From 22.1 on Node
// sees to that; before, it is done here: a third off every command.
// K1. Nothing about the cache can fail a command: without one everything works, more slowly.
// K2. V8 does not check what it is given and crashes on a damaged cache, so a cache carries its checksum. (No hash: that takes
//     as long as V8 does for all the rest, and who could forge a cache could change this file; K3.)
// K3. A cache is code: it is used only if it belongs to this user and nobody else may write where it lies.
// CommonJS on purpose: Node starts it in half the time of an ES module.
'use strict';

const VERSION = '__VERSION__';
const PROGRAM = '__PROGRAM__';
/** A cache holds what was called before it was made, so these have one of their own; the rest share one. */
const LARGE = ['validate', 'run', 'mcp'];

const [, , first, second] = process.argv;
if ((first === '--version' || first === '-V') && second === undefined) process.stdout.write(`${VERSION}\n`);
else if (first === 'hook' && ['claude', 'codex', 'gemini'].includes(second))
  require('./hook.cjs').main(process.argv.slice(3));
else start(process.argv.slice(2));

function start(args) {
  const path = `${__dirname}/${PROGRAM}`;
  const { enableCompileCache } = require('node:module');
  if (enableCompileCache) {
    enableCompileCache();
    require(path).main(args);
    return;
  }
  const kind = LARGE.includes(args[0]) ? args[0] : 'other';
  const kept = [];
  const load = (file) => {
    const program = { exports: {} };
    const whole = `${__dirname}/${file}`;
    compiled(file, kind, kept)(program.exports, own, program, whole, __dirname);
    return program.exports;
  };
  // What lies beside the program is kept as the program is; the rest is Node's.
  const own = (name) => {
    if (!name.startsWith('./')) return require(name);
    if (!loaded.has(name)) loaded.set(name, load(name.slice(2)));
    return loaded.get(name);
  };
  const loaded = new Map();
  const done = load(PROGRAM).main(args);
  done.then(() => {
    for (const { cache, script } of kept) writeCache(cache, script.createCachedData());
  });
}

/** The function that the file is. What should be kept of it is added to `kept`. */
function compiled(file, kind, kept) {
  const { readFileSync } = require('node:fs');
  const { Script } = require('node:vm');
  const path = `${__dirname}/${file}`;
  const cache = cacheFile(file, kind);
  const cachedData = cache && readCache(cache);
  // The bundle is ASCII, and latin1 is read without decoding.
  const text = `(function (exports, require, module, __filename, __dirname) {${readFileSync(path, 'latin1')}\n})`;
  const script = new Script(text, { filename: path, cachedData });
  const isStale = cachedData === undefined || script.cachedDataRejected;
  if (cache && isStale) kept.push({ cache, script });
  return script.runInThisContext();
}

/** Undefined where there is no folder that only this user may write. */
function cacheFile(file, kind) {
  try {
    const { lstatSync, mkdirSync } = require('node:fs');
    const named = process.env.XDG_CACHE_HOME;
    const folder = `${named?.startsWith('/') ? named : `${require('node:os').homedir()}/.cache`}/lockstep`;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    if (uid !== process.getuid?.() || (mode & 0o170022) !== 0o040000) return undefined;
    return `${folder}/${file}-${process.version}-${process.arch}-${kind}`;
  } catch {
    return undefined;
  }
}

function readCache(path) {
  try {
    const { closeSync, constants, fstatSync, openSync, readFileSync } = require('node:fs');
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const { uid, mode } = fstatSync(file);
      if (uid !== process.getuid() || (mode & 0o022) !== 0) return undefined;
      const bytes = readFileSync(file);
      const data = bytes.subarray(4);
      return bytes.length > 4 && checksum(data) === bytes.readUInt32LE(0) ? data : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function writeCache(path, data) {
  try {
    const { readdirSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
    const { dirname, join } = require('node:path');
    const beside = `${path}.${process.pid}`;
    const head = Buffer.alloc(4);
    head.writeUInt32LE(checksum(data));
    writeFileSync(beside, Buffer.concat([head, data]), { mode: 0o600 });
    renameSync(beside, path);
    // Of earlier versions, and of writers that died.
    const old = Date.now() - 30 * 24 * 3600 * 1000;
    for (const name of readdirSync(dirname(path))) {
      const other = join(dirname(path), name);
      if (statSync(other).mtimeMs < old) rmSync(other, { force: true });
    }
  } catch {
    // K1
  }
}

function checksum(data) {
  return require('node:zlib').crc32(data);
}
