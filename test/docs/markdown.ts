// markdown: the parts of a page that can be checked. HTML comments before a fenced block tell how:
//   <!-- file: agents/x.md -->   the block is a file of the page's scratch project
//   <!-- expect: some-code -->   this workflow is wrong on purpose, and `validate` must answer with that code
//   <!-- run: command -->        done in the scratch project before the block
//   <!-- norun: reason -->       shown only
// In a console block `[exit 2]` after what a command prints says how it ends; 0 where nothing is said.

export interface Block {
  language: string;
  text: string;
  /** Where the fence opens. */
  line: number;
  directives: { name: string; value: string }[];
}

export interface Page {
  blocks: Block[];
  links: { target: string; line: number }[];
  /** As GitHub makes them. */
  anchors: Set<string>;
}

const directive = /^<!--\s*(file|expect|run|norun):\s*(.*?)\s*-->$/;

export function readPage(text: string): Page {
  const page: Page = { blocks: [], links: [], anchors: new Set() };
  let pending: Block['directives'] = [];
  let open: (Block & { fence: string }) | undefined;
  text.split('\n').forEach((line, index) => {
    const fence = /^\s*(`{3,}|~{3,})\s*(\S*)/.exec(line);
    if (open) {
      if (fence?.[1]?.startsWith(open.fence) && !fence[2]) {
        const { fence: _, ...block } = open;
        page.blocks.push(block);
        open = undefined;
      } else open.text += `${line}\n`;
      return;
    }
    if (fence) {
      open = {
        fence: fence[1] ?? '',
        language: fence[2] ?? '',
        text: '',
        line: index + 1,
        directives: pending,
      };
      pending = [];
      return;
    }
    const found = directive.exec(line.trim());
    if (found) pending.push({ name: found[1] ?? '', value: found[2] ?? '' });
    else if (line.trim() !== '') pending = [];
    readLine(line, index + 1, page);
  });
  return page;
}

function readLine(line: string, number: number, page: Page): void {
  const heading = /^#{1,6}\s+(.*?)\s*$/.exec(line)?.[1];
  if (heading !== undefined) page.anchors.add(slug(heading));
  const prose = line.replace(/`[^`]*`/g, '');
  for (const [, inline, defined] of prose.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/g))
    page.links.push({ target: inline ?? defined ?? '', line: number });
}

function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** `$ command`, what it prints and how it ends. */
export interface Command {
  line: string;
  output: string;
  exitCode: number;
}

const exit = /^\[exit (\d+)\]$/;

export function commandsOf(block: Block): Command[] {
  const commands: Command[] = [];
  for (const line of block.text.replace(/\n$/, '').split('\n')) {
    const last = commands.at(-1);
    if (line.startsWith('$ ')) commands.push({ line: line.slice(2), output: '', exitCode: 0 });
    else if (last?.line.endsWith('\\')) last.line = `${last.line.slice(0, -1)}${line.trim()}`;
    else if (last && exit.test(line)) last.exitCode = Number(exit.exec(line)?.[1]);
    else if (last) last.output += `${line}\n`;
  }
  return commands;
}

/** Whether `actual` is what a page shows; `…` stands for any text, alone on a line for any lines. */
export function looksLike(actual: string, shown: string): boolean {
  const pattern = shown
    .trim()
    .split('\n')
    .map((line) =>
      line.trim() === '…' ? '(?:.*\\n)*?.*' : line.trimEnd().split('…').map(literally).join('.*'),
    )
    .join('\\n');
  const plain = actual.replace(/[ \t]+$/gm, '').trim();
  return new RegExp(`^${pattern}$`).test(plain);
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
