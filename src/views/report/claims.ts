// claims: what an agent says in its answer of tests, test-first work, fixes, requirements and publication. Read by
// shape, whatever the step is called; told as what it is: its word.

import type { Json, JsonObject } from '../../model/json.ts';
import type { StepRecord } from '../step-record.ts';
import { asMap, figure, maps, word } from './answer-text.ts';
import type { CertifiedFunction, Fix, Publication, RequirementVerdict, TestClaim } from './shape.ts';

export interface Claims {
  certified: CertifiedFunction[];
  fixes: Fix[];
  requirements: RequirementVerdict[];
  publication?: Publication;
}

/** Undefined: it says nothing of the kind. */
export function claimsOf({ verb, path, outcome }: StepRecord): Claims | undefined {
  const output = verb === 'prompt' ? asMap(outcome?.output) : undefined;
  if (!output) return undefined;
  const publication = publicationOf(output);
  const claims: Claims = {
    certified: certifiedFunctions(path, output),
    fixes: [...fixesOf(path, output.fixed, true), ...fixesOf(path, output.notFixed, false)],
    requirements: requirementVerdicts(path, output),
    ...(publication && { publication }),
  };
  const { certified, fixes, requirements } = claims;
  const isEmpty = !publication && certified.length + fixes.length + requirements.length === 0;
  return isEmpty ? undefined : claims;
}

/** Of one try; what was sent back is told too. Undefined: it says nothing of tests. */
export function testClaim(path: string, number: number, answer: Json): TestClaim | undefined {
  const output = asMap(answer);
  const results = output && (asMap(output.testResults) ?? asMap(output.testSuite));
  if (!results) return undefined;
  const claim: TestClaim = { path, try: number };
  for (const name of ['total', 'passed', 'failed', 'exitCode', 'coverage'] as const) {
    const value = figure(results, name);
    if (value !== undefined) claim[name] = value;
  }
  return claim;
}

/** Whether it says that tests pass which do not, or the other way round. */
export function isRefuted({ exitCode, seen }: TestClaim): boolean {
  return exitCode !== undefined && seen !== undefined && (exitCode === 0) !== (seen === 0);
}

function certifiedFunctions(path: string, output: JsonObject): CertifiedFunction[] {
  return maps(asMap(output.tddCertification)?.functions).map((one) => ({
    path,
    name: word(one, 'name') ?? '?',
    testFile: word(one, 'testFile') ?? '',
    watchedFail: one.watchedFail === true,
    watchedPass: one.watchedPass === true,
  }));
}

function fixesOf(path: string, list: Json | undefined, isFixed: boolean): Fix[] {
  return maps(list).map((one) => {
    const how = word(one, 'how');
    return {
      path,
      description: word(one, 'description', 'issue', 'title') ?? '?',
      ...(how !== undefined && { how }),
      ...(!isFixed && { why: word(one, 'why', 'reason') ?? 'no reason given' }),
    };
  });
}

function requirementVerdicts(path: string, output: JsonObject): RequirementVerdict[] {
  return maps(output.requirements)
    .filter(({ met }) => typeof met === 'boolean')
    .map((one) => ({
      path,
      id: word(one, 'id') ?? '',
      description: word(one, 'description') ?? '',
      met: one.met === true,
      evidence: word(one, 'evidence') ?? '',
    }));
}

function publicationOf(output: JsonObject): Publication | undefined {
  if (typeof output.pushed !== 'boolean' && !output.pullRequest) return undefined;
  const branch = word(output, 'branch');
  const url = word(asMap(output.pullRequest) ?? {}, 'url') ?? word(output, 'pullRequest');
  return {
    ...(branch !== undefined && { branch }),
    ...(typeof output.pushed === 'boolean' && { pushed: output.pushed }),
    ...(url !== undefined && { pullRequest: url }),
  };
}
