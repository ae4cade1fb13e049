// folders: the table of docs/ARCHITECTURE.md as data. The import checker and the purity checker read it, so a rule
// that is changed here is changed everywhere, and one that is not here does not exist.

/** Folders of src/ and what each may import besides itself. */
const mayImport = {
  model: [],
  expressions: ['model'],
  compile: ['model', 'expressions'],
  engine: ['model', 'expressions'],
  ports: ['model'],
  runtime: ['model', 'engine', 'ports'],
  stores: ['model', 'ports'],
  agents: ['model', 'ports'],
  workspaces: ['model', 'ports'],
  tracker: ['model', 'ports'],
  system: ['model', 'ports'],
  library: ['model', 'ports'],
  views: ['model', 'engine'],
  drivers: ['model', 'compile', 'engine', 'ports', 'runtime', 'views'],
  testing: ['model', 'compile', 'engine', 'ports', 'runtime', 'views', 'drivers'],
  cli: ['model', 'expressions', 'compile', 'engine', 'ports', 'runtime', 'drivers', 'views', 'testing'],
};

/** No Node module, no clock, no chance, no `async`; npm packages by name only. */
const pure = {
  model: [],
  expressions: ['@marcbachmann/cel-js', 're2js'],
  compile: ['yaml'],
  engine: [],
  views: [],
};

/** Each holds one folder per implementation; none of them knows another. */
const siblings = ['stores', 'agents', 'workspaces', 'drivers'];

module.exports = { mayImport, pure, siblings };
