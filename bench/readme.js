// readme: the table of results in README.md, between its two marks. Nobody writes there by hand: a test compares.

const BEGIN = '<!-- bench: written by `npm run bench` -->';
const END = '<!-- /bench -->';

/** The text with the table of these results in it. */
export function withTable(readme, results) {
  const [before, rest] = cut(readme, BEGIN);
  const [, after] = cut(rest, END);
  return `${before}${BEGIN}\n${tableOf(results)}\n\n${END}${after}`;
}

function tableOf({ at, rounds, machine, commit, rows }) {
  const month = new Date(at).toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const measured = commit === undefined ? '' : `; commit ${commit.slice(0, 12)}`;
  return [
    `Medians of ${rounds} rounds; Node ${machine.node.slice(1)}, ${machine.cpus} cores; ${month}${measured}.`,
    '',
    '| what | measured | bar | goal |',
    '| --- | --- | --- | --- |',
    ...rows.map(
      ({ what, ratio, bar, pass, goal }) =>
        `| ${what} | ${shown(ratio)}${pass ? '' : ' **fails**'} | ${bar} | ${goal ?? 'as the bar'} |`,
    ),
  ].join('\n');
}

/** As the bench prints it. */
export function shown(ratio) {
  if (ratio === null) return '–';
  return ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(2);
}

function cut(text, mark) {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`README.md has no ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}
