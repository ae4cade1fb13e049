// sections: files that say many things, of which only some define tests.

type Pick = (text: string) => string;

/** The part of such a file that defines tests, as text to be compared. Undefined: the file is none of them. */
export function sectionsOf(name: string, command: string): Pick | undefined {
  switch (name) {
    case 'pyproject.toml':
      return (text) =>
        tables(text, (head) =>
          /^tool\.(?:pytest|tox|nox|poe|hatch\.envs|pdm\.scripts|coverage\.run)\b/.test(head),
        );
    case 'setup.cfg':
      return (text) => tables(text, (head) => /^(?:tool:pytest|aliases|test)$/.test(head));
    case 'tox.ini':
      return (text) => tables(text, (head) => /^(?:tox|testenv|pytest)\b/.test(head));
    case 'Cargo.toml':
      return cargo;
    case 'go.mod':
      return (text) => lines(text, /^\s*replace\b|=>/);
    case '.npmrc':
      return (text) =>
        lines(text, /^\s*(?:script-shell|node-options|if-present|workspaces?|ignore-scripts|prefix|test)\b/);
    case 'Makefile':
      return /\bmake\b/.test(command) ? (text) => makefile(text, targetsOf(command)) : undefined;
    default:
      return undefined;
  }
}

/** Tables of TOML, or sections of an ini file, whose head is one of these. */
function tables(text: string, isOne: (head: string) => boolean): string {
  let inside = false;
  return text
    .split('\n')
    .filter((line) => {
      const head = /^\s*\[{1,2}\s*([^\]]+?)\s*\]{1,2}/.exec(line)?.[1];
      if (head !== undefined) inside = isOne(head.replaceAll(/["']/g, ''));
      return inside && !/^\s*[#;]/.test(line);
    })
    .join('\n');
}

function cargo(text: string): string {
  return [
    tables(text, (head) => head === 'test' || head === 'workspace' || head.startsWith('patch')),
    lines(text, /^\s*(?:test|harness|doctest|autotests|autobins|autobenches|build|default-members)\s*=/),
  ].join('\n');
}

function lines(text: string, pattern: RegExp): string {
  return text
    .split('\n')
    .filter((line) => pattern.test(line))
    .join('\n');
}

function targetsOf(command: string): string[] {
  return [...command.matchAll(/\bmake\b([^&|;]*)/g)].flatMap(([, words]) =>
    (words ?? '').split(/\s+/).filter((word) => /^[\w.-]+$/.test(word) && !word.startsWith('-')),
  );
}

/** Rules of these targets and of what they need, and all that is no rule: variables, includes, special targets. */
function makefile(text: string, targets: readonly string[]): string {
  const rules: { targets: string[]; needs: string[]; lines: string[] }[] = [];
  const others: string[] = [];
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const rule = /^([^\s:=#.][^:=#]*?)\s*::?(?![:=])\s*([^=]*)$/.exec(line);
    if (line.startsWith('\t')) (rules.at(-1)?.lines ?? others).push(line);
    else if (rule === null) others.push(line);
    else rules.push({ targets: words(rule[1]), needs: words(rule[2]), lines: [line] });
  }
  const waiting = targets.length > 0 ? [...targets] : (rules[0]?.targets ?? []);
  const seen = new Set<string>();
  for (let target = waiting.pop(); target !== undefined; target = waiting.pop()) {
    if (seen.has(target)) continue;
    seen.add(target);
    for (const rule of rules) if (rule.targets.includes(target)) waiting.push(...rule.needs);
  }
  const kept = rules.filter((rule) => rule.targets.some((target) => seen.has(target)));
  return [...others, ...kept.flatMap(({ lines }) => lines)].join('\n');
}

function words(text = ''): string[] {
  return text.split(/[\s;]+/).filter((word) => word !== '');
}
