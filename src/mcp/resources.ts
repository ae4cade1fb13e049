// resources: runs, workflows and references as documents that a client can attach. A workflow is shown by its outline: its
// text has every prompt in it (G1).

import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { within } from './blockers.ts';
import { DATA_PARTS, type DataPart } from './budget.ts';
import { findWorkflow } from './catalogue.ts';
import { readRunIn } from './reading.ts';
import { referenceText } from './references.ts';
import { factsText, runFacts } from './run-facts.ts';
import { resultLine, stepResults } from './step-results.ts';
import { inspected } from './tools/inspect-workflow.ts';
import type { Workplace } from './workplace.ts';

const MOST_RUNS = 20;
/** Bytes: what a model can take at once. */
const LONGEST = 256 * 1024;

export const RESOURCE_TEMPLATES: ResourceTemplateType[] = [
  {
    uriTemplate: 'lockstep://runs/{run}',
    name: 'run',
    title: 'How a run stands, and what its steps came to',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'lockstep://runs/{run}/prompt',
    name: 'prompt',
    title: 'What the step that is handed out says, where it is too long for an answer',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'lockstep://runs/{run}/role',
    name: 'role',
    title: 'The role and guidance of the step that is handed out, where they are too long for an answer',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'lockstep://runs/{run}/{part}',
    name: 'data',
    title:
      'What a run was given, has noted or gave, where it is too long for an answer: inputs, vars or outputs',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'lockstep://workflows/{workflow}',
    name: 'workflow',
    title: 'The steps of a workflow, by title and condition',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'lockstep://references/{workflow}/{reference}',
    name: 'reference',
    title: 'A document that a workflow names',
    mimeType: 'text/plain',
  },
];

export async function listResources(place: Workplace): Promise<Resource[]> {
  const { library } = await place.definitions();
  const runs = place.store.list().slice(-MOST_RUNS).reverse();
  return [
    ...runs.map((id) => ({
      uri: `lockstep://runs/${id}`,
      name: id,
      title: `Run ${id}`,
      mimeType: 'text/markdown',
    })),
    ...library.list('workflow').map(({ name }) => ({
      uri: `lockstep://workflows/${encodeURIComponent(name)}`,
      name,
      title: `Workflow ${name}`,
      mimeType: 'text/markdown',
    })),
  ];
}

/** undefined: there is no such resource. */
export async function readResource(
  place: Workplace,
  uri: string,
): Promise<{ uri: string; mimeType: string; text: string } | undefined> {
  try {
    const [kind, ...names] = partsOf(uri);
    const [first, second] = names;
    if (first === undefined) return undefined;
    switch (kind) {
      case 'runs':
        if (second === 'prompt' || second === 'role') return await readHanded(place, uri, first, second);
        if (isDataPart(second)) return await readData(place, uri, first, second);
        return { uri, mimeType: 'text/markdown', text: within(await runText(place, first), LONGEST) };
      case 'workflows':
        return {
          uri,
          mimeType: 'text/markdown',
          text: within((await inspected(place, first)).text, LONGEST),
        };
      case 'references':
        return await readReference(place, uri, first, second ?? '');
      default:
        return undefined;
    }
  } catch {
    return undefined;
  }
}

function partsOf(uri: string): string[] {
  const rest = /^lockstep:\/\/(.+)$/.exec(uri)?.[1];
  return rest === undefined ? [] : rest.split('/').map(decodeURIComponent);
}

async function runText(place: Workplace, reference: string): Promise<string> {
  const id = place.findRun(reference);
  const results = stepResults(place.store.read(id).journal().entries);
  return [factsText(await runFacts(place, id)), '', ...results.map(resultLine)].join('\n');
}

/** Of the step that is handed out now, and of no other (G1). */
async function readHanded(place: Workplace, uri: string, reference: string, what: 'prompt' | 'role') {
  const { state } = await readRunIn(place, place.findRun(reference));
  const [handed] = state.handed.values();
  const text = what === 'prompt' ? handed?.prompt : handed?.system;
  return text === undefined ? undefined : { uri, mimeType: 'text/markdown', text: within(text, LONGEST) };
}

function isDataPart(part: string | undefined): part is DataPart {
  return (DATA_PARTS as readonly (string | undefined)[]).includes(part);
}

async function readData(place: Workplace, uri: string, reference: string, part: DataPart) {
  const { outline } = (await readRunIn(place, place.findRun(reference))).view;
  const data = part === 'vars' ? Object.fromEntries(outline.vars) : outline[part];
  return { uri, mimeType: 'application/json', text: within(JSON.stringify(data, undefined, 2), LONGEST) };
}

async function readReference(place: Workplace, uri: string, workflowId: string, id: string) {
  const { workflow } = await findWorkflow(place, workflowId);
  const reference = workflow.references.find((one) => one.id === id);
  const text = reference && (await referenceText(place, reference));
  return text === undefined ? undefined : { uri, mimeType: 'text/plain', text: within(text, LONGEST) };
}
