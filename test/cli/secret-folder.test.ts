// A run that prints a secret in every way that the programs of this machine know. Afterwards every file of its folder,
// and all that was printed, is searched by somebody who decodes whatever can be decoded.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.ts';

const SECRET = 'Zx8_kQ2-vT7pLw4sNb6mYc1dRf3gHj5aUe9iOo0qBXzKMt';
const QUOTED = `aV7"kQ2'vT7\\pLw4$Nb6 mYc1%Rf3&Hj5=Ue9`;

let project: Scratch;
afterEach(() => project.remove());

const LINES = [
  'printf %s "$S" | xxd',
  'printf %s "$S" | xxd -p',
  'printf %s "$S" | od -An -tx1',
  'printf %s "$S" | od -tx1',
  'printf %s "$S" | hexdump -C',
  'printf %s "$S" | base64 -w 20',
  'printf %s "user:$S" | base64',
  'printf %s "$S" | fold -w 10',
  'node -p "JSON.stringify(JSON.stringify({ a: process.env.S }))"',
  'node -p "[...Buffer.from(process.env.S)].join()"',
  'node -p "encodeURIComponent(encodeURIComponent(process.env.S))"',
  'node -e "JSON.parse(process.env.S)" 2>&1 || true',
  'bash -c \'printf "%q\\n" "$S"; set -x; true "$S"\' 2>&1',
  'ls -- "$S" 2>&1 || true',
  '"$S" 2>&1 || true',
];

const bare = (text: string) => text.replace(/[^A-Za-z0-9]/g, '');

function readings(text: string): string[] {
  const once = (given: string) =>
    given.replace(/(?:%|\\+x|=)([0-9a-fA-F]{2})/g, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  const hexRuns = text.match(/[0-9a-fA-F][0-9a-fA-F\s:]{20,}/g) ?? [];
  const dumps = text.replace(/^[0-9a-f]{7,8}:? /gm, '').replace(/(?: {2}|\|).*$/gm, '');
  const joined = text.replace(/\\+n|\s/g, '');
  const base64Runs = joined.match(/[\w+/-]{16,}/g) ?? [];
  const numbers = (text.match(/\d+/g) ?? []).map(Number).filter((number) => number < 256);
  return [
    text,
    joined,
    once(text),
    once(once(text)),
    ...[...hexRuns, dumps].flatMap((run) => {
      const digits = run.replace(/[^0-9a-fA-F]/g, '');
      return [digits, digits.slice(1)].map((part) => Buffer.from(part, 'hex').toString('latin1'));
    }),
    ...base64Runs.flatMap((run) =>
      [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), 'base64').toString('latin1')),
    ),
    Buffer.from(numbers).toString('latin1'),
  ];
}

it.each([
  ['a token', SECRET],
  ['a password with quotes', QUOTED],
])('SEC-SECRET-FOLDER: no file of the run gives back %s', (_, secret) => {
  project = scratch({ git: true });
  project.env.S = secret;
  const steps = LINES.map((line, index) => {
    const capture = index % 3 === 1 ? '\n    capture: lines' : '';
    return `  - id: s${index}\n    run: ${JSON.stringify(line)}\n    secrets: [S]${capture}`;
  });
  project.write('flow.yaml', `lockstep: 1\nname: flow\nsteps:\n${steps.join('\n')}\n`);
  const { exitCode, stdout, stderr } = project.lockstep('run', 'flow.yaml', '--debug');
  expect([exitCode, stderr]).toEqual([0, stderr]);
  const folder = join(project.root, '.lockstep/runs/latest');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));
  expect(files.length).toBeGreaterThan(LINES.length);
  const wanted = bare(secret);
  const texts = [
    ...files.map((file): [string, string] => [file, readFileSync(file, 'latin1')]),
    ['screen', stdout + stderr] as const,
  ];
  const leaks = texts.filter(([, text]) => readings(text).some((reading) => bare(reading).includes(wanted)));
  expect(leaks.map(([name]) => name)).toEqual([]);
});
