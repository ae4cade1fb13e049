// client-findings: what the facts about one client mean.

import { list } from '../views/text/words.ts';
import { CREDENTIALS, TESTED } from './credentials.ts';
import type { ClientFacts, Facts } from './facts.ts';
import type { Finding } from './findings.ts';
import { isBefore } from './version.ts';

export function clientFindings(client: ClientFacts, hazards: Facts['hazards']): Finding[] {
  const { name, found, install, switchedOff } = client;
  if (switchedOff)
    return [{ topic: name, level: 'note', says: `${name}: left out (LOCKSTEP_CLIENTS does not name it)` }];
  if (found === undefined)
    return [{ topic: name, level: 'note', says: `${name}: not found`, advice: `To use it: ${install}` }];
  const { via, path, version, problem } = found;
  if (problem !== undefined)
    return [
      {
        topic: name,
        level: 'problem',
        says: `${name}: ${path} ${problem}`,
        advice: `Install it again (${install}), or take it off the PATH: a run may choose it.`,
      },
    ];
  const what = via === 'sdk' ? `Agent SDK ${version}` : (version ?? '');
  return [
    accessFinding(client, `${name}: ${what} (${path})`),
    ...ageFindings(client),
    ...sandboxFindings(client),
    ...hazards.map(
      ({ variable, effect }): Finding => ({
        topic: name,
        level: 'warning',
        says: `${name}: ${variable} is set, which ${effect}: steps with tools or rules run without it`,
        advice: `Unset ${variable}.`,
      }),
    ),
  ];
}

/** What can be told without looking at a secret: a login may be in a key ring, a key in a configuration. */
function accessFinding({ name, variables, addresses, login }: ClientFacts, says: string): Finding {
  const elsewhere = addresses.length > 0 ? `; ${list(addresses)} points it at a server of yours` : '';
  if (variables.length > 0) {
    const set = `${list(variables)} ${variables.length === 1 ? 'is' : 'are'} set`;
    return { topic: name, level: 'ok', says: `${says}; ${set}${elsewhere}` };
  }
  if (login !== undefined) return { topic: name, level: 'ok', says: `${says}; a login is there${elsewhere}` };
  return {
    topic: name,
    level: 'warning',
    says: `${says}; no key and no login to be seen${elsewhere}`,
    advice: `${CREDENTIALS[name].how} If it is set up in another way, \`lockstep doctor --canary ${name}\` shows whether it works.`,
  };
}

function ageFindings({ name, found }: ClientFacts): Finding[] {
  const tested = found?.via === 'sdk' ? TESTED[name].sdk : TESTED[name].command;
  if (found?.version === undefined || tested === undefined || !isBefore(found.version, tested)) return [];
  return [
    {
      topic: name,
      level: 'note',
      says: `${name}: ${found.version} is older than ${tested}, which Lockstep is tested with`,
      advice: `If it does not do as it should, update it. \`lockstep doctor --canary ${name}\` shows whether it obeys.`,
    },
  ];
}

function sandboxFindings({ name, sandbox }: ClientFacts): Finding[] {
  if (sandbox === undefined) return [];
  if (sandbox.works) return [{ topic: name, level: 'ok', says: `${name}: its sandbox works here` }];
  return [
    {
      topic: name,
      level: 'warning',
      says: `${name}: its sandbox does not work here (${sandbox.problem}): commands it runs will fail`,
      advice:
        'It needs user namespaces: on Linux look at the sysctls user.max_user_namespaces, kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns, and at what your container may do.',
    },
  ];
}
