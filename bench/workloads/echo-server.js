// echo-server: the least that an MCP server of the same SDK can do: it gives back an answer that it was told once.

import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

let answer = { content: [] };

serveStdio(() => {
  const server = new Server({ name: 'echo', version: '1' }, { capabilities: { tools: {} } });
  const inputSchema = { type: 'object' };
  server.setRequestHandler('tools/list', () => ({
    tools: [
      { name: 'prime', inputSchema },
      { name: 'echo', inputSchema },
    ],
  }));
  server.setRequestHandler('tools/call', ({ params }) => {
    if (params.name === 'prime') answer = params.arguments.answer;
    return answer;
  });
  return server;
});
