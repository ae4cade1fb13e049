// complete-lock: after `npm install` from a registry that does not serve the optional packages of other platforms, the
// lock file lacks them and `npm ci` refuses it. This names them again, as npm would, less their checksums.
// Run it after changing a dependency, when `npm ci` says "Missing: … from lock file".

import { readFileSync, writeFileSync } from 'node:fs';

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = [
  'arm64',
  'x64',
  'ia32',
  'arm',
  'ppc64',
  's390x',
  'riscv64',
  'loong64',
  'mips64el',
  'wasm32',
];

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
let added = 0;
for (const [holder, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`;
    if (lock.packages[path] || lock.packages[`${holder}/${path}`]) continue;
    lock.packages[path] = platformEntry(name, range);
    added += 1;
  }
}
const byName = ([a], [b]) => (a < b ? -1 : 1);
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(byName));
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} packages of other platforms named`);

/** Which platform it is for stands in its name: `@biomejs/cli-linux-arm64-musl`. */
function platformEntry(name, range) {
  const words = name.split(/[/-]/);
  const os = words.find((word) => SYSTEMS.includes(word));
  const cpu = words.find((word) => PROCESSORS.includes(word));
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : undefined;
  return {
    version: range.replace(/^[\^~]/, ''),
    ...(cpu && { cpu: [cpu] }),
    dev: true,
    ...(libc && { libc: [libc] }),
    optional: true,
    ...(os && { os: [os] }),
  };
}
