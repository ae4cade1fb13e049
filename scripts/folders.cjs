// folders: the table of docs/ARCHITECTURE.md as data. The import checker and the purity checker read it, so a rule
// that is changed here is changed everywhere, and one that is not here does not exist.

/** Folders of src/ and what each may import besides itself. */
const mayImport = {
  model: [],
  text: ['model'],
  expressions: ['model', 'text'],
  clients: ['model', 'text'],
  compile: ['model', 'text', 'expressions'],
  engine: ['model', 'text', 'expressions'],
  ports: ['model'],
  runtime: ['model', 'text', 'engine', 'ports'],
  stores: ['model', 'ports'],
  agents: ['model', 'text', 'clients', 'ports'],
  workspaces: ['model', 'ports'],
  tracker: ['model', 'text', 'ports'],
  system: ['model', 'ports'],
  library: ['model', 'ports'],
  views: ['model', 'text', 'engine'],
  hosting: ['model', 'engine', 'ports', 'runtime', 'views'],
  drivers: ['model', 'text', 'compile', 'engine', 'ports', 'runtime', 'views', 'hosting'],
  testing: ['model', 'compile', 'engine', 'ports', 'runtime', 'views', 'hosting', 'drivers'],
  cli: [
    'model',
    'text',
    'expressions',
    'compile',
    'engine',
    'ports',
    'runtime',
    'hosting',
    'drivers',
    'views',
    'testing',
  ],
};

/** No Node module, no clock, no chance, no `async`; npm packages by name only. */
const pure = {
  model: [],
  text: [],
  clients: [],
  expressions: ['@marcbachmann/cel-js', 're2js'],
  compile: ['yaml'],
  engine: [],
  views: [],
};

/** Each holds one folder per implementation; none of them knows another. */
const siblings = ['stores', 'agents', 'workspaces', 'drivers'];

module.exports = { mayImport, pure, siblings };
