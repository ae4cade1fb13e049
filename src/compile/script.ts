// script: the scripted agent's answers, read and checked like any definition.

import type { Diagnostic } from '../model/diagnostic.ts';
import type { JsonObject } from '../model/json.ts';
import type { Script, ScriptedAnswer } from '../model/script.ts';
import { report } from '../source/diagnostics.ts';
import { type Checked, conform, conforming } from '../source/grammar/conform.ts';
import { scriptShape } from '../source/grammar/script-shape.ts';
import { headSpan, type Node, setKey, stringOf, toJson } from '../source/read/node.ts';
import { sourceText } from '../source/read/source.ts';
import { readYaml } from '../source/read/yaml.ts';
import { booleanOf, choiceOf, durationOf, numberOf, present, writtenOf } from './lower/values.ts';

export type ScriptResult = { script: Script } | { diagnostics: Diagnostic[] };

export function compileScript(file: { path: string; text: string }): ScriptResult {
  const problems = report();
  const to = conforming(problems);
  const node = readYaml(sourceText(file.path, file.text), problems);
  if (node !== undefined && conform(node, scriptShape, 'the script', to)) {
    const answers = to.get(node, 'answers');
    if (answers?.kind === 'map' && answers.entries.size === 0) {
      problems.error('wrong-type', headSpan(answers), '`answers` is empty, and must not be');
    }
    const script = { answers: lowerAnswers(answers, to) };
    if (!problems.hasErrors()) return { script };
  }
  return { diagnostics: problems.diagnostics() };
}

export function lowerAnswers(node: Node | undefined, to: Checked): Script['answers'] {
  const answers: Record<string, ScriptedAnswer[]> = {};
  if (node?.kind !== 'map') return answers;
  for (const { key, value } of node.entries.values()) {
    const all = value.kind === 'list' ? value.items : [value];
    setKey(
      answers,
      key,
      all.map((item) => answerOf(item, to)),
    );
  }
  return answers;
}

function answerOf(node: Node, to: Checked): ScriptedAnswer {
  const get = (key: string) => to.get(node, key);
  const [read, write, output] = [get('read'), get('write'), get('output')];
  const [run, usage] = [get('run'), get('usage')];
  return present<ScriptedAnswer>({
    delay: durationOf(get('delay')),
    hang: booleanOf(get('hang')),
    read: read && (toJson(read) as string[]),
    write: write && (toJson(write) as Record<string, string>),
    run: run?.kind === 'list' ? run.items.flatMap((item) => writtenOf(item) ?? []) : stringOf(run),
    commit: stringOf(get('commit')),
    stderr: stringOf(get('stderr')),
    garbage: booleanOf(get('garbage')),
    output: output && toJson(output),
    text: stringOf(get('text')),
    usage: usage && (toJson(usage) as JsonObject as ScriptedAnswer['usage']),
    session: stringOf(get('session')),
    exit: numberOf(get('exit')),
    error: choiceOf<NonNullable<ScriptedAnswer['error']>>(get('error')),
  });
}
