// folders: the table of docs/ARCHITECTURE.md as data. The import checker and the purity checker read it, so a rule
// that is changed here is changed everywhere, and one that is not here does not exist.

/** Folders of src/ and what each may import besides itself. */
const mayImport = {
  model: [],
  text: ['model'],
  expressions: ['model', 'text'],
  clients: ['model', 'text'],
  source: ['model', 'text'],
  evidence: ['model'],
  compile: ['model', 'text', 'expressions', 'source'],
  dialects: ['model', 'text', 'expressions', 'source'],
  engine: ['model', 'text', 'expressions'],
  ports: ['model'],
  runtime: ['model', 'text', 'clients', 'engine', 'evidence', 'ports'],
  stores: ['model', 'ports'],
  agents: ['model', 'text', 'clients', 'ports'],
  workspaces: ['model', 'text', 'ports'],
  tracker: ['model', 'text', 'ports'],
  system: ['model', 'text', 'ports'],
  library: ['model', 'ports'],
  views: ['model', 'text', 'engine'],
  hosting: ['model', 'text', 'engine', 'ports', 'runtime', 'views'],
  drivers: ['model', 'text', 'source', 'compile', 'engine', 'ports', 'runtime', 'views', 'hosting'],
  daemon: ['model', 'text', 'clients', 'ports'],
  setup: ['model', 'text', 'clients'],
  doctor: ['model', 'ports', 'views'],
  testing: ['model', 'text', 'compile', 'engine', 'ports', 'runtime', 'views', 'hosting', 'drivers'],
  mcp: ['model', 'text', 'source', 'compile', 'engine', 'ports', 'runtime', 'views', 'hosting', 'drivers'],
  ui: ['model', 'engine', 'ports', 'views', 'hosting'],
  cli: [
    'model',
    'text',
    'expressions',
    'source',
    'compile',
    'engine',
    'ports',
    'runtime',
    'hosting',
    'drivers',
    'doctor',
    'views',
    'testing',
    'mcp',
    'ui',
    'daemon',
    'setup',
  ],
};

/** No Node module, no clock, no chance, no `async`; npm packages by name only. */
const pure = {
  model: [],
  text: [],
  clients: [],
  expressions: ['@marcbachmann/cel-js', 're2js'],
  source: ['yaml'],
  compile: [],
  dialects: [],
  engine: [],
  evidence: [],
  views: [],
};

/** Each holds one folder per implementation; none of them knows another. */
const siblings = ['stores', 'agents', 'workspaces', 'drivers'];

module.exports = { mayImport, pure, siblings };
