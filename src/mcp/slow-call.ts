// slow-call: a call that may take long tells its client now and then that it is still there, so that the client waits.

import type { CallContext } from './call-context.ts';

const EVERY_MS = 3000;

export async function withProgress<T>(
  { progress }: CallContext,
  message: string,
  work: Promise<T>,
): Promise<T> {
  const timer = setInterval(() => progress(message), EVERY_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
