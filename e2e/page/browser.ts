// browser: a real Chromium that looks at the page. Where there is none the tests say so; CI has to have one.

import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Served } from '../../test/ui/served.ts';

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);
/** Why nothing can be looked at; undefined: it can. CI installs one (.ci/run), so there it is no reason. */
export const noBrowser =
  program === undefined && !process.env.CI ? 'needs Chromium: apt-get install chromium' : undefined;

let browser: Promise<Browser> | undefined;

function launched(): Promise<Browser> {
  if (program === undefined) throw new Error('there is no Chromium here; .ci/run installs one');
  // A container has no user namespaces for its sandbox.
  browser ??= chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
  return browser;
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

export interface Looked {
  page: Page;
  context: BrowserContext;
  /** What the browser complained about: refused scripts, errors. */
  complaints: string[];
}

export interface Eyes {
  width?: number;
  height?: number;
  dark?: boolean;
}

export async function look(
  url: string,
  { width = 1280, height = 860, dark = false }: Eyes = {},
): Promise<Looked> {
  const context = await (await launched()).newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  return { page, context, complaints };
}

/** The address with the token, and what is to be shown. */
export function at({ url }: Served, words = ''): string {
  return words === '' ? url : `${url}&${words}`;
}
