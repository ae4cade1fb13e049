// doctor-text: what the doctor found, for a person.

import type { CanaryReport, Facts, Finding } from '../../../doctor/doctor.ts';
import { CAPABILITIES, type Capability, type Client, type Support } from '../../../model/capabilities.ts';
import {
  type Line,
  type Look,
  paintLine,
  piece,
  renderLines,
  type Style,
  wrapLine,
} from '../../../views/text/line.ts';
import { bytes } from '../../bytes.ts';
import { table } from '../../table.ts';

const MARKS: Record<Finding['level'], { word: string; style: Style }> = {
  ok: { word: 'ok', style: 'good' },
  note: { word: 'note', style: 'dim' },
  warning: { word: 'warning', style: 'ask' },
  problem: { word: 'problem', style: 'bad' },
};
const INDENT = '           ';

export function doctorText(facts: Facts, findings: Finding[], look: Look): string {
  const free = facts.runs.free === undefined ? '' : `, ${bytes(facts.runs.free)} free where runs are kept`;
  const lines: Line[] = [
    [piece(`Lockstep ${facts.lockstep} on ${facts.platform}${free}`, 'strong')],
    [],
    ...findings.flatMap((finding) => findingLines(finding, look.width)),
  ];
  const end = renderLines(ending(findings, look.width), look);
  return `${renderLines(lines, look)}\n\n${capabilityText(facts)}\n${end}\n`;
}

function findingLines({ level, says, advice }: Finding, width: number): Line[] {
  const { word, style } = MARKS[level];
  const lines = wrapLine([piece(`  ${word.padEnd(9)}`, style), piece(says)], width, INDENT);
  if (advice !== undefined) lines.push(...wrapLine([piece(`${INDENT}${advice}`, 'dim')], width, INDENT));
  return lines;
}

function ending(findings: Finding[], width: number): Line[] {
  const problems = findings.filter(({ level }) => level === 'problem');
  if (problems.length === 0) return [[piece('A workflow can run here.', 'good')]];
  const what = problems.map(({ topic }) => topic).join(', ');
  return wrapLine([piece(`To be mended before workflows run here: ${what}.`, 'bad')], width, '  ');
}

/** Those that bind an agent's hands, and those that people ask for. `--json` has all. */
const SHOWN: Capability[] = [
  'tools.allow',
  'tools.deny',
  'tools.patterns',
  'rules.block',
  'rules.ask',
  'rules.warn',
  'rules.rewrite',
  'read-only',
  'schema',
  'session',
  'mcp',
  'cost',
];
const WORDS: Record<Support['level'], string> = { full: 'yes', partly: 'partly', none: 'no' };

function capabilityText({ clients }: Facts): string {
  const there = clients.filter(({ found }) => found !== undefined);
  const names: Client[] = (there.length > 0 ? there : clients).map(({ name }) => name);
  const rows = SHOWN.map((capability) => [
    capability,
    ...names.map((name) => WORDS[CAPABILITIES[name][capability].level]),
  ]);
  const remarks = names.flatMap((name) =>
    SHOWN.flatMap((capability) => {
      const { level, how } = CAPABILITIES[name][capability];
      return level === 'full' ? [] : [`  ${name}, ${capability}: ${how}`];
    }),
  );
  const indented = table(['can be held to', ...names], rows).replace(/^(?=.)/gm, '  ');
  return `${indented}${remarks.length > 0 ? `\n${remarks.join('\n')}\n` : ''}${limitsText(clients)}`;
}

/** Of clients whose hooks are installed: what those cannot hold. */
function limitsText(clients: Facts['clients']): string {
  const held = clients.filter(({ hooks }) => hooks && (hooks.files.length > 0 || hooks.plugin));
  const lines = held.flatMap(({ name, hooks }) =>
    (hooks?.limits ?? []).map(({ limit, remedy }) => `  ${name}: ${limit} ${remedy}`),
  );
  return lines.length === 0 ? '' : `\nIn live sessions, what hooks cannot hold:\n${lines.join('\n')}\n`;
}

const VERDICTS: Record<CanaryReport['verdict'], { word: string; style: Style }> = {
  enforced: MARKS.ok,
  'not-enforced': MARKS.problem,
  unproven: MARKS.warning,
};

export function canaryText({ verdict, says, calls, failure, records }: CanaryReport, look: Look): string {
  const { word, style } = VERDICTS[verdict];
  const lines: Line[] = [
    ...wrapLine([piece(`  ${word.padEnd(9)}`, style), piece(says)], look.width, INDENT),
    ...calls.flatMap(({ tool, about, denied }) =>
      wrapLine(
        [piece(`${INDENT}${tool} ${about}${denied === undefined ? '' : `: denied (${denied})`}`, 'dim')],
        look.width,
        `${INDENT}  `,
      ),
    ),
    ...(failure !== undefined && verdict !== 'unproven'
      ? wrapLine([piece(`${INDENT}It ended with: ${failure}`, 'dim')], look.width, `${INDENT}  `)
      : []),
  ];
  // Not fitted to the width: it is there to be copied.
  const command = [piece(`${INDENT}What was said: lockstep logs --state-dir ${records}`, 'dim')];
  return `${renderLines(lines, look)}\n${records === undefined ? '' : `${paintLine(command, look.color)}\n`}`;
}
