// command-thread: the other side of test/command.ts. Runs the built command line in a world that it is sent: a folder,
// an environment, no input, and two streams whose text is sent back with the exit code.
// T1. Every command gets the program evaluated anew: nothing that one left in a variable is there for the next.
// T2. As with a process, a command is over when it has given its exit code and nothing is left to do: no file that is
//     being removed, no process that it started and waits for.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { Script } from 'node:vm';
import { workerData } from 'node:worker_threads';

const { port, bell, program } = workerData;
const text = readFileSync(program, 'latin1');
const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
  filename: program,
});

port.on('message', async ({ argv, cwd, environment }) => {
  const stdout = collect();
  const stderr = collect();
  const world = {
    ...{ cwd, environment, stdin: Readable.from([]) },
    ...{ stdout: stdout.stream, stderr: stderr.stream },
  };
  const answer = await evaluate()
    .runIn(world, argv)
    .then(
      (exitCode) => ({ exitCode }),
      (error) => ({ broken: error.stack }),
    );
  await nothingLeft();
  port.postMessage({ ...answer, stdout: stdout.text(), stderr: stderr.text() });
  Atomics.store(bell, 0, 1);
  Atomics.notify(bell, 0);
});

/** (T1) */
function evaluate() {
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(program), module, program, dirname(program));
  return module.exports;
}

/** (T2) The port to the test is what keeps this thread alive in any case. */
async function nothingLeft() {
  while (process.getActiveResourcesInfo().some((kind) => kind !== 'MessagePort'))
    await new Promise((resolve) => setTimeout(resolve, 2));
}

function collect() {
  const chunks = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
