// mcp-server: a real MCP server for tests. `node mcp-server.js` speaks over its own input and output;
// `node mcp-server.js --http` (or `--sse`) over HTTP, and prints its address first.

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

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
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })),
  }));
  server.setRequestHandler('tools/call', ({ params }) => {
    const tool = tools[params.name];
    if (tool === undefined) throw new Error(`unknown tool ${params.name}`);
    return tool(params.arguments ?? {}, headers);
  });
  return server;
}

async function bodyOf(request) {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body === '' ? undefined : body;
}

if (process.argv.includes('--http')) {
  const http = createServer(async (request, response) => {
    const handler = createMcpHandler(() => makeServer(request.headers));
    const { method, headers } = request;
    const body = await bodyOf(request);
    const asked = new Request(`http://127.0.0.1${request.url}`, { method, headers, body });
    const answer = await handler.fetch(asked);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  http.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${http.address().port}/mcp\n`));
} else if (process.argv.includes('--sse')) {
  // The SDK no longer serves this older way of talking over HTTP; its client still speaks it.
  const open = new Map();
  const http = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    if (url.pathname === '/messages') {
      open.get(url.searchParams.get('sessionId')).onmessage(JSON.parse(await bodyOf(request)));
      return response.writeHead(202).end();
    }
    const session = String(open.size);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: endpoint\ndata: /messages?sessionId=${session}\n\n`);
    const transport = {
      start: async () => {},
      send: async (message) => response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
      close: async () => response.end(),
    };
    open.set(session, transport);
    await makeServer(request.headers).connect(transport);
  });
  http.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${http.address().port}/sse\n`));
} else {
  serveStdio(() => makeServer());
}
