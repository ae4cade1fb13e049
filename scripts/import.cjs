// import: becomes dist/import.cjs. In the bundle `import()` is `require()`, which takes no ES modules; here it is itself.
// For packages of the user's own (the Claude Agent SDK), which are never bundled.
'use strict';

module.exports = (url) => import(url);
