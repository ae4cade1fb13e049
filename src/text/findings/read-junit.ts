// read-junit: a JUnit report, of tests or of a linter → every failure and error in it. What was skipped is none.

import type { Finding, ReadFindings } from './finding.ts';
import { readXml, type XmlElement } from './read-xml.ts';

const BROKEN = ['failure', 'error'];

export function readJunit(text: string): ReadFindings {
  const read = readXml(text);
  if ('problem' in read) return { problem: `it is no JUnit report: ${read.problem}` };
  const { root } = read;
  if (root.name !== 'testsuites' && root.name !== 'testsuite')
    return { problem: `it is no JUnit report: its root element is <${root.name}>` };
  const found: Finding[] = [];
  const cases = casesIn(root, [], found);
  if (cases === 0 && found.length === 0)
    return { problem: 'its JUnit report has no test case: nothing was looked at' };
  const counted = countedIn(root);
  // A report that counts what it does not name is not read as if that were nothing.
  if (found.length === 0 && counted > 0)
    found.push({ level: 'failure', message: `its report counts ${counted} failed, and names none of them` });
  return { findings: found };
}

/** How many cases there are; what is broken is added to `found`. */
function casesIn(element: XmlElement, suites: XmlElement[], found: Finding[]): number {
  const around = element.name === 'testsuite' ? [element, ...suites] : suites;
  let cases = element.name === 'testcase' ? 1 : 0;
  for (const child of element.children) {
    if (BROKEN.includes(child.name)) found.push(findingOf(child, element, around));
    else cases += casesIn(child, around, found);
  }
  return cases;
}

function findingOf(broken: XmlElement, of: XmlElement, suites: XmlElement[]): Finding {
  const text = (broken.attributes.message || firstLine(broken.text) || 'it failed').trim();
  const name = of.attributes.name ?? '';
  const { files, line } = placeOf(broken, of, suites);
  return {
    level: levelOf(of) ?? broken.name,
    message: name === '' || text.includes(name) ? text : `${name}: ${text}`,
    ...(files.length > 0 && { files }),
    ...(line !== undefined && { line }),
  };
}

function levelOf(of: XmlElement): string | undefined {
  const properties = of.children.filter(({ name }) => name === 'properties');
  const severity = properties
    .flatMap(({ children }) => children)
    .find(({ attributes }) => attributes.name === 'severity');
  return severity?.attributes.value;
}

/** Linters name the file in the suite, and the line in the text only. */
function placeOf(
  broken: XmlElement,
  of: XmlElement,
  suites: XmlElement[],
): { files: string[]; line?: number } {
  const named = [of, ...suites].flatMap(({ attributes }) => attributes.file ?? []);
  const files = [...named, ...suites.flatMap(({ attributes }) => attributes.name ?? [])].filter(Boolean);
  const said =
    of.attributes.line ?? /\bline (\d{1,9})\b/.exec(`${broken.attributes.message ?? ''} ${broken.text}`)?.[1];
  const line = said !== undefined && /^\d{1,9}$/.test(said) ? Number(said) : undefined;
  return { files: [...new Set(files)], ...(line !== undefined && { line }) };
}

function countedIn({ name, attributes, children }: XmlElement): number {
  const own = BROKEN.map((what) => Number(attributes[`${what}s`] ?? 0)).filter((count) => count > 0);
  const sum = own.reduce((all, count) => all + count, 0);
  if (sum > 0 || name === 'testcase') return sum;
  return children.reduce((all, child) => all + countedIn(child), 0);
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
