// langgraph: the same work in LangGraph.js with its SQLite checkpointer, as its documentation has it. It does not
// flush per step (WAL, synchronous NORMAL), so it promises less than the loop it is compared with.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';

const payload = 'x'.repeat(900);

export async function sequence({ folder, steps }) {
  const State = Annotation.Root({ count: Annotation(), output: Annotation() });
  const graph = new StateGraph(State)
    .addNode('step', ({ count }) => ({ count: count + 1, output: payload }))
    .addEdge(START, 'step')
    .addConditionalEdges('step', ({ count }) => (count < steps ? 'step' : END));
  return measure(graph, { count: 0, output: '' }, folder, steps);
}

export async function parallel({ folder, steps }) {
  const State = Annotation.Root({
    outputs: Annotation({ reducer: (all, more) => all.concat(more), default: () => [] }),
  });
  let graph = new StateGraph(State);
  for (let step = 0; step < steps; step += 1) {
    graph = graph
      .addNode(`step-${step}`, () => ({ outputs: [payload] }))
      .addEdge(START, `step-${step}`)
      .addEdge(`step-${step}`, END);
  }
  return measure(graph, { outputs: [] }, folder, steps);
}

async function measure(graph, input, folder, steps) {
  const file = join(folder, 'langgraph.db');
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  const checkpointer = SqliteSaver.fromConnString(file);
  const app = graph.compile({ checkpointer });
  globalThis.gc?.();
  const started = performance.now();
  await app.invoke(input, { configurable: { thread_id: 'bench' }, recursionLimit: steps + 5 });
  const ms = performance.now() - started;
  checkpointer.db.close();
  return { ms, perStep: ms / steps };
}
