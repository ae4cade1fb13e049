#!/usr/bin/env node
// launcher: becomes dist/lockstep.js. Answers --version by itself (B1), leaves `hook CLIENT` to hook.cjs (B5), and otherwise loads
// the program.
// A start is mostly the compiling of JavaScript, and V8 can keep what came of it: a third off every command. The program is made of
// parts (scripts/program-parts.js), of which only those are read that a command asks for.
// K1. Nothing about the cache can fail a command: without one everything works, more slowly.
// K2. V8 does not check what it is given and crashes on a damaged cache, so a cache carries its checksum. (No hash: that takes
//     as long as V8 does for all the rest, and who could forge a cache could change this file; K3.)
// K3. A cache is code: it is used only if it belongs to this user and nobody else may write where it lies.
// CommonJS on purpose: Node starts it in half the time of an ES module.
'use strict';

const VERSION = '__VERSION__';
const PROGRAM = '__PROGRAM__';
/** The length of its first line, which says where its parts are. */
const HEAD = Number('__HEAD__');
/** A cache holds what was called before it was made, so these have one of their own; the rest share one. */
const LARGE = ['validate', 'run', 'mcp'];

const [, , first, second] = process.argv;
if ((first === '--version' || first === '-V') && second === undefined) process.stdout.write(`${VERSION}\n`);
else if (first === 'hook' && ['claude', 'codex', 'gemini'].includes(second))
  require('./hook.cjs').main(process.argv.slice(3));
else start(process.argv.slice(2));

function start(args) {
  const program = `${__dirname}/${PROGRAM}`;
  const kind = LARGE.includes(args[0]) ? args[0] : 'other';
  const cache = cacheFile(kind);
  const { open, changed } = parts(program, cache && readCache(cache));
  open('./app.js')
    .main(args)
    .then(() => {
      const entries = cache && changed();
      if (entries) writeCache(cache, entries);
    });
}

/**
 * `open` gives what a part exports. `changed`: the compiled code of what was opened beside what was kept before, or undefined
 * where everything that was opened had been kept.
 */
function parts(program, kept = new Map()) {
  const { openSync, readSync } = require('node:fs');
  const { Script } = require('node:vm');
  // Held open: a build or an update may replace it while this process lives.
  const file = openSync(program, 'r');
  const read = (offset, end) => {
    const bytes = Buffer.allocUnsafe(end - offset);
    for (let at = 0; at < bytes.length; ) {
      const count = readSync(file, bytes, at, bytes.length - at, offset + at);
      if (count === 0) throw new Error(`${program} is not whole: install Lockstep again`);
      at += count;
    }
    return bytes;
  };
  const places = JSON.parse(read(2, HEAD).latin1Slice());
  const opened = new Map();
  const compiled = new Map();
  function open(name) {
    const place = places[name];
    if (place === undefined) return require(name);
    const known = opened.get(name);
    if (known !== undefined) return known.exports;
    const part = { exports: {} };
    opened.set(name, part);
    compile(name, place)(part.exports, open, part, program, __dirname);
    return part.exports;
  }
  function compile(name, [offset, length, line]) {
    // A function in brackets is compiled at once. They take the place of what stands before and after it.
    const bytes = read(HEAD + offset - 1, HEAD + offset + length + 1);
    bytes[0] = 0x28;
    bytes[length + 1] = 0x29;
    const cachedData = kept.get(name);
    // The program is ASCII, and latin1 is read without decoding.
    const script = new Script(bytes.latin1Slice(), { filename: program, lineOffset: line, cachedData });
    if (cachedData === undefined || script.cachedDataRejected) compiled.set(name, script);
    return script.runInThisContext();
  }
  const changed = () => {
    if (compiled.size === 0) return undefined;
    for (const [name, script] of compiled) kept.set(name, script.createCachedData());
    return kept;
  };
  return { open, changed };
}

/** Undefined where there is no folder that only this user may write. */
function cacheFile(kind) {
  try {
    const { lstatSync, mkdirSync } = require('node:fs');
    const named = process.env.XDG_CACHE_HOME;
    const folder = `${named?.startsWith('/') ? named : `${require('node:os').homedir()}/.cache`}/lockstep`;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    if (uid !== process.getuid?.() || (mode & 0o170022) !== 0o040000) return undefined;
    return `${folder}/${PROGRAM}-${process.version}-${process.arch}-${kind}`;
  } catch {
    return undefined;
  }
}

/** Part → its compiled code. The file: a checksum of the rest, the length of a table, the table, and what it says where. */
function readCache(path) {
  try {
    const { closeSync, constants, fstatSync, openSync, readFileSync } = require('node:fs');
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const { uid, mode } = fstatSync(file);
      if (uid !== process.getuid() || (mode & 0o022) !== 0) return undefined;
      const bytes = readFileSync(file);
      if (checksum(bytes.subarray(4)) !== bytes.readUInt32LE(0)) return undefined;
      const table = JSON.parse(bytes.latin1Slice(8, 8 + bytes.readUInt32LE(4)));
      return new Map(table.map(([name, from, to]) => [name, bytes.subarray(from, to)]));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function writeCache(path, entries) {
  try {
    const { readdirSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
    const { dirname, join } = require('node:path');
    const beside = `${path}.${process.pid}`;
    writeFileSync(beside, cacheBytes(entries), { mode: 0o600 });
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

function cacheBytes(entries) {
  const most = 8 + entries.size * 64;
  const table = [];
  let length = Math.ceil(most / 8) * 8;
  for (const [name, { byteLength }] of entries) {
    table.push([name, length, length + byteLength]);
    length += Math.ceil(byteLength / 8) * 8; // V8 copies what does not begin at a multiple of 8
  }
  const bytes = Buffer.alloc(length);
  const text = JSON.stringify(table);
  if (8 + text.length > most) throw new Error('the table is too long');
  bytes.writeUInt32LE(text.length, 4);
  bytes.latin1Write(text, 8);
  for (const [index, data] of [...entries.values()].entries()) bytes.set(data, table[index][1]);
  bytes.writeUInt32LE(checksum(bytes.subarray(4)), 0);
  return bytes;
}

function checksum(data) {
  return require('node:zlib').crc32(data);
}
