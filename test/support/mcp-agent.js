// mcp-agent: a client for tests that is started as an agent. It is given `mcp_servers` as JSON, and in its prompt the calls
// to make of the server `lockstep`: `{ "calls": [["issues_get", { "id": 1 }]] }`. It starts that server as any client would,
// and prints what the server offers and what it answered.

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const { lockstep: server } = JSON.parse(process.argv[2] ?? '{}');
let prompt = '';
for await (const chunk of process.stdin) prompt += chunk;
const { calls = [] } = JSON.parse(/\{.*\}/s.exec(prompt)?.[0] ?? '{}');

if (server === undefined) console.log(JSON.stringify({ server: null }));
else {
  // As Codex does it: of its environment a server has next to nothing.
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };
  const client = new Client({ name: 'mcp-agent', version: '1' });
  await client.connect(new StdioClientTransport({ ...server, env, cwd: process.cwd(), stderr: 'inherit' }));
  const { tools } = await client.listTools();
  const results = [];
  for (const [name, input] of calls) {
    const { structuredContent, isError = false, content } = await client.callTool({ name, arguments: input });
    results.push({
      name,
      isError,
      value: structuredContent,
      text: content.map((item) => item.text).join('\n'),
    });
  }
  await client.close();
  const offered = tools.map(({ name, inputSchema }) => ({
    name,
    takes: Object.keys(inputSchema.properties ?? {}),
  }));
  console.log(JSON.stringify({ server, offered, results }));
}
