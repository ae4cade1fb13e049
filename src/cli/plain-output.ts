// plain-output: what a terminal is sent. Text of agents, commands and definitions may hold escape sequences, which a
// terminal would obey: retitle the window, fill the clipboard, write over what was printed. Only text, and colours of
// our own, go through.

import { finishedLength, plainPainted, plainText } from '../views/text/plain.ts';
import type { Services } from './services.ts';

export interface PlainOutput {
  write(chunk: Uint8Array): void;
  end(): void;
}

/** Bytes in chunks, cut anywhere. What is no UTF-8 becomes `�`. */
export function plainOutput(stream: Pick<NodeJS.WriteStream, 'write'>): PlainOutput {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let held = '';
  const print = (text: string) => {
    if (text !== '') stream.write(text);
  };
  return {
    write(chunk) {
      const text = held + decoder.decode(chunk, { stream: true });
      const length = finishedLength(text);
      held = text.slice(length);
      print(plainText(text.slice(0, length)));
    },
    end() {
      print(plainText(held + decoder.decode()));
      held = '';
    },
  };
}

/** For commands that only print: whatever a view lets through, a terminal is not sent. */
export function withPlainStreams(services: Services): Services {
  // Not copied: that would open the streams, and most commands use one of them.
  return Object.create(services, {
    stdout: { get: () => plainStream(services.stdout) },
    stderr: { get: () => plainStream(services.stderr) },
    at: { value: (folder: string) => withPlainStreams(services.at(folder)) },
  }) as Services;
}

/** Bytes, which `logs` hands on as they are where it was told to, are not looked at. */
function plainStream(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (stream.isTTY !== true) return stream;
  const write = (chunk: string | Uint8Array, ...rest: never[]): boolean =>
    stream.write(typeof chunk === 'string' ? plainPainted(chunk) : chunk, ...rest);
  return new Proxy(stream, {
    get(target, name) {
      if (name === 'write') return write;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
