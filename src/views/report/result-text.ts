// result-text: what a step gave, in a few words. Answers of known shapes are told by what matters in them; the rest by how
// it begins.

import type { Json, JsonObject } from '../../model/json.ts';
import { count } from '../text/words.ts';
import { answerText, asMap, figure, maps, word } from './answer-text.ts';

export function resultText(output: Json | undefined): string {
  if (Array.isArray(output) && output.some((item) => typeof item === 'object'))
    return count(output.length, 'item');
  const map = asMap(output);
  const told = map && shapeWords(map);
  return told === undefined || told.length === 0 ? answerText(output) : told.join(', ');
}

function shapeWords(map: JsonObject): string[] {
  const words: string[] = [];
  const say = (text: string | undefined): void => {
    if (text !== undefined) words.push(text);
  };
  const lengthOf = (name: string): number | undefined =>
    Array.isArray(map[name]) ? (map[name] as Json[]).length : undefined;
  const counted = (name: string, one: string, many?: string): void => {
    const length = lengthOf(name);
    if (length !== undefined) say(count(length, one, many));
  };
  if (map.blocker !== undefined) say('a blocker');
  say(word(map, 'assessment')?.replaceAll('_', ' '));
  if (Array.isArray(map.tasks)) counted('tasks', 'task');
  if (map.assessment !== undefined && lengthOf('issues')) counted('issues', 'issue');
  if (Array.isArray(map.filesChanged)) counted('filesChanged', 'file');
  const tests = asMap(map.testResults) ?? asMap(map.testSuite);
  const [passed, total] = [figure(tests, 'passed'), figure(tests, 'total')];
  if (passed !== undefined && total !== undefined)
    say(`${passed} of ${count(total, 'test')} passed, it says`);
  if (Array.isArray(map.fixed)) say(`${lengthOf('fixed')} fixed`);
  if (lengthOf('notFixed')) say(`${lengthOf('notFixed')} not fixed`);
  const verdicts = maps(map.requirements).filter(({ met }) => typeof met === 'boolean');
  if (verdicts.length > 0)
    say(`${verdicts.filter(({ met }) => met).length} of ${verdicts.length} requirements met`);
  if (Array.isArray(map.completed) && Array.isArray(map.pending))
    say(`${lengthOf('completed')} completed, ${lengthOf('pending')} pending`);
  if (typeof map.pushed === 'boolean') say(map.pushed ? 'pushed' : 'not pushed');
  return words;
}
