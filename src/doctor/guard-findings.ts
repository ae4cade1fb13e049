// guard-findings: whether live sessions of a client can be held to a workflow: its hooks, the daemon that answers them.

import { list } from '../views/text/words.ts';
import type { ClientFacts, Facts, GuardFacts } from './facts.ts';
import type { Finding } from './findings.ts';

export function guardFindings({ guard, clients }: Facts): Finding[] {
  return [
    ...clients.flatMap((client) =>
      client.found === undefined && !hasHooks(client) ? [] : hookFindings(client, guard),
    ),
    ...daemonFindings(guard),
    ...unansweredFindings(guard),
  ];
}

function hasHooks({ hooks }: ClientFacts): boolean {
  return hooks !== undefined && (hooks.files.length > 0 || hooks.plugin);
}

function hookFindings(client: ClientFacts, { bound }: GuardFacts): Finding[] {
  const { name, hooks } = client;
  const topic = `${name} hooks`;
  if (hooks === undefined) return [];
  const again = `Run \`lockstep init --client ${name}\` again.`;
  if (!hasHooks(client))
    return [
      {
        ...{ topic, level: bound ? 'warning' : 'note' },
        says: `${name}: no hooks of ours, so its live sessions are not held to a workflow`,
        advice: `\`lockstep init --client ${name}\` puts them in.`,
      },
    ];
  const found: Finding[] = hooks.files.flatMap(({ file, missing, outdated, gone }): Finding[] => {
    if (gone !== undefined)
      return [
        {
          topic,
          level: 'warning',
          says: `${name}: the hooks in ${file} start ${gone}, which is not there`,
          advice: again,
        },
      ];
    if (outdated)
      return [
        {
          topic,
          level: 'warning',
          says: `${name}: the hooks in ${file} are of another version of Lockstep`,
          advice: again,
        },
      ];
    if (missing.length > 0)
      return [
        {
          topic,
          level: 'warning',
          says: `${name}: ${file} has no hook of ours for ${list(missing)}`,
          advice: again,
        },
      ];
    return [{ topic, level: 'ok', says: `${name}: hooks in ${file}` }];
  });
  if (hooks.plugin) found.push({ topic, level: 'ok', says: `${name}: the plugin is switched on` });
  if (hooks.trusted === false)
    found.push({
      ...{
        topic,
        level: 'warning',
        says: `${name}: nobody has agreed to the hooks, so Codex skips them without a word`,
      },
      advice: 'Start `codex` once, look at the hooks, and agree.',
    });
  for (const says of hooks.off)
    found.push({
      topic,
      level: 'warning',
      says: `${name}: ${says}`,
      advice: 'Sessions that start so are not held. Change that setting.',
    });
  return found;
}

function daemonFindings({ daemons, build }: GuardFacts): Finding[] {
  return daemons.map((daemon): Finding => {
    const says = `daemon: process ${daemon.pid}, Lockstep ${daemon.version}, ${daemon.sessions} sessions`;
    if (daemon.build === build) return { topic: 'daemon', level: 'ok', says };
    return {
      ...{ topic: 'daemon', level: 'warning', says: `${says}; it is another build than this one` },
      advice: '`lockstep daemon --stop` ends it; the next event starts the one that its hook belongs to.',
    };
  });
}

function unansweredFindings({ unanswered }: GuardFacts): Finding[] {
  if (unanswered === 0) return [];
  return [
    {
      ...{ topic: 'guard', level: 'warning' },
      says: `${unanswered} events were let through because nobody answered (\`engine_down: allow\`)`,
      advice:
        'They go on record with the next event of a session. `daemon.log` in LOCKSTEP_HOME/guard may say why nobody was there.',
    },
  ];
}
