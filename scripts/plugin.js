// plugin: the parts of plugin/ that follow from the code: the hooks, and the version. `node scripts/plugin.js` writes them;
// test/guard/plugin.test.ts holds the files against it.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** File → its text. */
export function pluginFiles({ installedHooks, hookLine, isClosed }) {
  const { version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const hooks = {};
  for (const { event, kind, matcher, timeout } of installedHooks('claude')) {
    const hook = { type: 'command', command: hookLine('claude', isClosed(kind), undefined), timeout };
    hooks[event] = [{ ...(matcher !== undefined && { matcher }), hooks: [hook] }];
  }
  const plugin = { name: 'lockstep', version, description, license };
  const marketplace = {
    name: 'lockstep',
    owner: { name: 'Lockstep' },
    plugins: [{ name: 'lockstep', source: './plugin', description, version }],
  };
  const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
  return {
    'plugin/.claude-plugin/plugin.json': json(plugin),
    'plugin/hooks/hooks.json': json({ description: 'Holds sessions to a workflow', hooks }),
    'plugin/.mcp.json': json({ mcpServers: { lockstep: { command: 'lockstep', args: ['mcp'] } } }),
    '.claude-plugin/marketplace.json': json(marketplace),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { build } = await import('esbuild');
  const contents =
    "export * from './src/clients/hooks.ts'; export * from './src/clients/hook-line.ts'; export { isClosed } from './src/daemon/hook-times.ts';";
  const { outputFiles } = await build({
    ...{
      stdin: { contents, resolveDir: root, loader: 'ts' },
      bundle: true,
      format: 'esm',
      platform: 'node',
      write: false,
    },
  });
  const code = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`
  );
  for (const [file, text] of Object.entries(pluginFiles(code))) writeFileSync(join(root, file), text);
}
