// The page in a real browser, over runs that the built command made.

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { endStarted, journal, projectWith, runIds, start, startOnTerminal } from '../../test/cli/started.ts';
import type { Scratch } from '../../test/scratch.ts';
import { serve } from '../../test/ui/served.ts';
import { at, closeBrowser, look, noBrowser } from './browser.ts';

const FLOW = `lockstep: 1
name: flow
steps:
  - { id: first, run: 'until test -f go; do sleep 0.05; done; echo went' }
  - { id: color, ask: Which color?, choices: [red, green] }
  - { id: show, run: [echo, '{{ steps.color.output }}'] }
`;
const SCRIPT_TAG = '<img src=x onerror=alert(1)><script>alert(2)</script>';
const HOSTILE = `lockstep: 1
name: hostile
steps:
  - { id: write, prompt: { text: Write it. }, title: '${SCRIPT_TAG}' }
  - id: approve
    prompt: { text: Write it. }
    done: { approve: '${SCRIPT_TAG} ok?' }
`;
const ANSWERS = `answers:
  write: { text: '${SCRIPT_TAG}' }
  approve: { text: '</script>${SCRIPT_TAG}', write: { '<img src=x onerror=alert(3)>.txt': 'x' } }
`;
const LOOPS = `lockstep: 1
name: loops
steps:
  - id: all
    each: name in ["a", "b", "c"]
    steps:
      - { id: one, run: 'echo {{ name }}' }
      - id: both
        parallel: true
        steps:
          - { id: left, run: 'true' }
          - { id: right, run: 'test {{ name }} != b', on_fail: continue }
  - { id: last, run: echo end }
`;

let project: Scratch;
const started: Server[] = [];
afterEach(() => {
  endStarted();
  for (const server of started.splice(0)) server.close();
  project.remove();
});
afterAll(closeBrowser);

describe.skipIf(noBrowser)(`the page in a browser${noBrowser ? ` [skip: ${noBrowser}]` : ''}`, () => {
  it('UI-LIVE: shows a live run from its start to the approval to its end, and is answered on the page', async () => {
    project = projectWith({ 'flow.yaml': FLOW });
    const served = await serve(project, '--answer');
    const { page, complaints } = await look(at(served));
    await page.getByText('No runs here yet').waitFor();
    const run = startOnTerminal(project, 'lockstep run flow.yaml');
    await page.locator('.run-row').click();
    await page.locator('.node.is-running', { hasText: 'first' }).waitFor();
    project.write('go', '');
    // A terminal waits, too.
    await run.shows(/Which color\?/);
    await page.getByRole('button', { name: 'green' }).click();
    await page.locator('.pill', { hasText: 'completed' }).waitFor();
    expect((await run.ended).exitCode).toBe(0);
    expect(await page.locator('.node.is-done').count()).toBe(3);
    expect(journal(project)).toContainEqual(
      expect.objectContaining({
        ...{ kind: 'question-answered', path: 'color', answer: 'green' },
        channel: expect.objectContaining({ kind: 'page' }),
      }),
    );
    expect(complaints).toEqual([]);
  });

  it('UI-LIVE: goes on where it was when the server is back', async () => {
    project = projectWith({ 'flow.yaml': FLOW });
    const first = await serve(project);
    const run = start(project, 'run', 'flow.yaml');
    const { page, context } = await look(at(first));
    await page.locator('.run-row').click();
    await page.locator('.node.is-running').waitFor();
    await context.setOffline(true);
    first.process.send('SIGKILL');
    await first.process.ended;
    await page.getByText('the server does not answer').waitFor();
    const second = await serve(project, '--port', String(first.port));
    await context.setOffline(false);
    // A server that was started anew lets nobody in whom it has not let in itself.
    await page.getByRole('heading', { name: 'Not let in' }).waitFor();
    await page.goto('about:blank');
    await page.goto(at(second, `run=${runIds(project)[0]}`));
    await page.locator('.node.is-running').waitFor();
    project.write('go', '');
    await page.locator('.question').waitFor();
    expect((await run.ended).exitCode).toBe(3);
  });

  it('UI-TIME-SLIDER: shows at ten moments what lockstep status says of them', async () => {
    project = projectWith({ 'loops.yaml': LOOPS });
    expect(project.lockstep('run', 'loops.yaml').exitCode).toBe(0);
    const [id = ''] = runIds(project);
    const served = await serve(project);
    const { page, complaints } = await look(at(served, `run=${id}`));
    await page.locator('.node').first().waitFor();
    const last = journal(project).length;
    for (let moment = 1; moment <= 10; moment += 1) {
      const n = Math.max(1, Math.round((last * moment) / 10));
      await page.getByRole('slider').fill(String(n));
      const state = JSON.parse(project.lockstep('status', '--at', String(n), '--json').stdout);
      const { done, failed } = state.lockstep.totals;
      const words = `${done} done${failed > 0 ? `, ${failed} failed` : ''}`;
      await page
        .locator('.title .facts div', { hasText: 'steps' })
        .getByText(words, { exact: true })
        .waitFor();
      await page.locator('.title .pill', { hasText: state.lockstep.status }).waitFor();
      expect(page.url().includes(`n=${n}`)).toBe(n < last);
    }
    // A link to a moment leads there.
    await page.goto('about:blank');
    await page.goto(at(served, `run=${id}&n=5`));
    await page.getByText('back to now').waitFor();
    expect(await page.getByRole('slider').inputValue()).toBe('5');
    expect(complaints).toEqual([]);
  });

  it('UI-SAFE-TEXT: what agents wrote is text: in answers, titles, questions, file names and the exported file', async () => {
    project = projectWith({ 'hostile.yaml': HOSTILE, 'answers.yaml': ANSWERS }, { git: true });
    project.sh('git add -A && git commit -qm start && git checkout -qb "x<img/src=x/onerror=alert(4)>"');
    expect(project.lockstep('run', 'hostile.yaml', '--script', 'answers.yaml').exitCode).toBe(3);
    const [id = ''] = runIds(project);
    const served = await serve(project, '--answer');
    const { page, complaints } = await look(at(served, 'show=inbox'));
    await page.getByText(`${SCRIPT_TAG} ok?`).waitFor();
    await page.getByText('<img src=x onerror=alert(3)>.txt').first().waitFor();
    for (const tab of ['graph', 'timeline', 'journal', 'report']) {
      await page.goto('about:blank');
      await page.goto(at(served, `run=${id}&tab=${tab}&step=write`));
      await page.locator('aside pre', { hasText: 'onerror=alert(1)' }).first().waitFor();
      expect(await page.locator('img').count(), tab).toBe(0);
    }
    expect(complaints).toEqual([]);
    project.lockstep('ui', '--export', 'run.html');
    const file = await look(`${pathToFileURL(join(project.root, 'run.html')).href}#step=approve`);
    await file.page.locator('aside pre', { hasText: '</script><img' }).first().waitFor();
    expect(file.complaints).toEqual([]);
  });

  it('UI-SAFE-FOREIGN: a page of somebody else in the same browser reads nothing, answers nothing and frames nothing', async () => {
    project = projectWith({ 'flow.yaml': FLOW, go: '' });
    expect(project.lockstep('run', 'flow.yaml').exitCode).toBe(3);
    const [id = ''] = runIds(project);
    const served = await serve(project, '--answer');
    const { page, context } = await look(at(served));
    await page.locator('.run-row').waitFor();
    const n = 1 + journal(project).findIndex(({ kind }) => kind === 'question-asked');
    const own = `http://127.0.0.1:${served.port}`;
    const other = await foreignPage(own, id, n);
    const hostile = await context.newPage();
    await hostile.goto(other);
    const reached = await hostile.evaluate(
      async ([base, run, asked]) => {
        const body = JSON.stringify({ path: 'color', asked: Number(asked), answer: 'red' });
        const tries: [string, RequestInit][] = [
          [`${base}/api/project`, { credentials: 'include' }],
          [`${base}/api/runs/${run}`, { credentials: 'include', mode: 'no-cors' }],
          [
            `${base}/api/runs/${run}/answer`,
            { method: 'POST', credentials: 'include', mode: 'no-cors', body },
          ],
          [
            `${base}/api/runs/${run}/answer`,
            { method: 'POST', credentials: 'include', body, headers: { 'content-type': 'application/json' } },
          ],
        ];
        const read: string[] = [];
        for (const [url, options] of tries) {
          try {
            const text = await (await fetch(url, options)).text();
            if (text !== '') read.push(text);
          } catch {
            // refused
          }
        }
        const stream = new EventSource(`${base}/api/stream`, { withCredentials: true });
        await new Promise((resolve) => {
          stream.onmessage = () => resolve(read.push('stream'));
          stream.onerror = resolve;
        });
        stream.close();
        return read;
      },
      [own, id, String(n)] as const,
    );
    expect(reached).toEqual([]);
    // A form post leaves that page; a frame shows nothing of ours.
    await hostile.locator('form').evaluate((form: { submit(): void }) => form.submit());
    await hostile.waitForURL(`${own}/**`);
    expect(await hostile.locator('body').textContent()).toContain('another page');
    await hostile.goto(other);
    const frame = hostile.frames().find((one) => one !== hostile.mainFrame());
    expect(await frame?.locator('.head').count()).toBe(0);
    expect(journal(project).some(({ kind }) => kind === 'question-answered')).toBe(false);
  });

  it('UI-EXPORT: the exported file verifies itself from disk, and says so where it was changed', async () => {
    project = projectWith({ 'loops.yaml': LOOPS });
    expect(project.lockstep('run', 'loops.yaml').exitCode).toBe(0);
    project.lockstep('ui', '--export', 'run.html');
    const path = join(project.root, 'run.html');
    const good = await look(`${pathToFileURL(path).href}#tab=journal`);
    const head = /\(last hash ([0-9a-f]{32})|([0-9a-f]{32})/.exec(project.lockstep('audit').stdout)?.[0];
    await good.page.getByText(`${journal(project).length} entries verify`).waitFor();
    expect(await good.page.locator('.chain code').textContent()).toBe(head);
    await good.page.getByRole('link', { name: 'Timeline' }).click();
    await good.page.locator('.bar-row').first().waitFor();
    expect(good.complaints).toEqual([]);
    writeFileSync(path, readFileSync(path, 'utf8').replace('\\"path\\":\\"last\\"', '\\"path\\":\\"lost\\"'));
    const changed = await look(`${pathToFileURL(path).href}`);
    await changed.page.getByText('This journal does not verify').waitFor();
  });

  it('UI-LARGE: a run of 10,000 items opens folded, and goes back in time', async () => {
    project = projectWith({
      'many.yaml': `lockstep: 1
name: many
vars: { items: [${Array.from({ length: 10_000 }, (_, index) => index).join(', ')}] }
steps:
  - { id: all, each: item in vars.items, steps: [{ id: one, call: noop }] }
`,
    });
    expect(project.spawned('run', 'many.yaml', '--quiet').exitCode).toBe(0);
    const [id = ''] = runIds(project);
    const served = await serve(project);
    const { page, complaints } = await look(at(served, `run=${id}`));
    await page.locator('.cell').first().waitFor();
    await page.getByText('10000 of 10000 ended').waitFor();
    expect(await page.locator('.cell').count()).toBeLessThanOrEqual(240);
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.getByText('20001 bars').waitFor();
    expect(await page.locator('.bar-row').count()).toBeLessThan(100);
    await page.getByRole('slider').fill('10000');
    await page.getByText('back to now').waitFor();
    expect(complaints).toEqual([]);
  });

  it('UI-ACCESS: axe finds nothing serious in any view, light and dark, narrow and wide', async () => {
    project = projectWith({ 'loops.yaml': LOOPS, 'flow.yaml': FLOW, go: '' });
    expect(project.lockstep('run', 'loops.yaml').exitCode).toBe(0);
    project.lockstep('run', 'flow.yaml');
    const [id = ''] = runIds(project);
    const served = await serve(project, '--answer');
    const axe = readFileSync(join(import.meta.dirname, '../node_modules/axe-core/axe.min.js'), 'utf8');
    const views = [
      '',
      'show=inbox',
      'show=workflows&workflow=flow',
      'show=costs',
      ...['graph', 'timeline', 'journal', 'report'].map(
        (tab) => `run=${id}&tab=${tab}&n=12&step=all%5B0%5D%2Fone`,
      ),
    ];
    for (const eyes of [{}, { dark: true, width: 360, height: 760 }]) {
      const { page, context } = await look(at(served), eyes);
      // The page lets no foreign script in, so the tool comes by another way than a script element.
      const session = await context.newCDPSession(page);
      for (const view of views) {
        await page.evaluate(`location.hash = ${JSON.stringify(view)}`);
        await page.locator('h1').first().waitFor();
        await page.waitForTimeout(300);
        await session.send('Runtime.evaluate', { expression: axe });
        const { result } = await session.send('Runtime.evaluate', {
          expression: `axe.run().then(({ violations }) => JSON.stringify(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ': ' + nodes[0].html)))`,
          awaitPromise: true,
        });
        expect(`${view} ${result.value}`).toBe(`${view} []`);
        const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect(beyond, view).toBeLessThanOrEqual(0);
      }
      await context.close();
    }
  });
});

/** Somebody else's page on loopback, which knows everything but the cookie. */
async function foreignPage(own: string, run: string, asked: number): Promise<string> {
  const html = `<!doctype html><title>free shoes</title>
<iframe src="${own}/"></iframe>
<form method="post" enctype="text/plain" action="${own}/api/runs/${run}/answer">
<input name='{"path":"color","asked":${asked},"answer":"red","x":"' value='"}'></form>`;
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(html),
  );
  started.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
