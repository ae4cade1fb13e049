// browser: asks the user's browser to show an address.

import { spawn } from 'node:child_process';

/** False: nothing here could show it. */
export function showInBrowser(url: string): boolean {
  const command = opener();
  if (command === undefined) return false;
  // What the opener prints is not ours to show; where it fails, the printed address is still there.
  const child = spawn(command, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
  return true;
}

function opener(): string | undefined {
  if (process.platform === 'darwin') return 'open';
  return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? 'xdg-open' : undefined;
}
