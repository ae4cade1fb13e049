// guard-terminal: a terminal is left as it was found, however the process ends or is stopped.

export interface SignalHost {
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
  listenerCount(event: string): number;
  kill(pid: number, signal: string): unknown;
  readonly pid: number;
}

const DEADLY = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/**
 * `restore` runs when the process exits, and before a signal that nobody else handles ends it. Ctrl-Z restores,
 * stops, and repaints on return. The answer takes all of it away again.
 */
export function guardTerminal(host: SignalHost, restore: () => void, repaint: () => void): () => void {
  const listeners: [string, () => void][] = [
    ['exit', restore],
    [
      'SIGTSTP',
      () => {
        restore();
        host.kill(host.pid, 'SIGSTOP');
      },
    ],
    ['SIGCONT', repaint],
  ];
  for (const signal of DEADLY) {
    listeners.push([
      signal,
      () => {
        // Somebody else ends the process in good order, and closes the screen when they do.
        if (host.listenerCount(signal) > 1) return;
        restore();
        release();
        host.kill(host.pid, signal);
      },
    ]);
  }
  const release = (): void => {
    for (const [event, listener] of listeners) host.off(event, listener);
  };
  for (const [event, listener] of listeners) host.on(event, listener);
  return release;
}
