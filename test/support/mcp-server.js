// mcp-server: a real MCP server for tests. `node mcp-server.js` speaks over its own input and output;
// `node mcp-server.js --http` (or `--sse`) over HTTP, and prints its address first.

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const text = (value) => ({ content: [{ type: 'text', text: value }] });

const tools = {
  echo: ({ text: said }) => text(`you said ${said}`),
  add: ({ a, b }) => ({ ...text(`${a + b}`), structuredContent: { sum: a + b } }),
  fail: () => ({ isError: true, ...text('no such issue') }),
  environment: () => text(JSON.stringify({ cwd: process.cwd(), env: process.env })),
  header: (_, headers) => text(String(headers?.authorization)),
  picture: () => ({
    content: [
      { type: 'text', text: 'see:' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    ],
  }),
  hang: () => new Promise(() => {}),
  child: () => text(`${process.pid} ${spawn('sleep', ['1000'], { stdio: 'ignore' }).pid}`),
  crash: () => {
    process.stderr.write('out of luck\n');
    process.exit(3);
  },
};

function makeServer(headers) {
  const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = tools[params.name];
    if (tool === undefined) throw new Error(`unknown tool ${params.name}`);
    return tool(params.arguments ?? {}, headers);
  });
  return server;
}

if (process.argv.includes('--http')) {
  const http = createServer(async (request, response) => {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await makeServer(request.headers).connect(transport);
    await transport.handleRequest(request, response);
  });
  http.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${http.address().port}/mcp\n`));
} else if (process.argv.includes('--sse')) {
  const open = new Map();
  const http = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    if (url.pathname === '/messages')
      return open.get(url.searchParams.get('sessionId'))?.handlePostMessage(request, response);
    const transport = new SSEServerTransport('/messages', response);
    open.set(transport.sessionId, transport);
    await makeServer(request.headers).connect(transport);
  });
  http.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${http.address().port}/sse\n`));
} else {
  await makeServer().connect(new StdioServerTransport());
}
