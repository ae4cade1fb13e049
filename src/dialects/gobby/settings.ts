// settings: the numbers that a workflow's phases are held to, as rules and ways on of ours.

import { built, type Part } from '../../source/build-nodes.ts';
import { type MapNode, type Node, nodeSpan } from '../../source/read/node.ts';
import type { ForeignPhase } from './outline.ts';
import { mayWrite } from './tools.ts';
import type { Translation } from './translation.ts';

/** Tools that only look: a phase that has used up its actions may still read. */
const LOOKING = ['Read', 'Grep', 'Glob', 'LS', 'WebFetch', 'WebSearch', 'TodoWrite', 'AskUserQuestion'];

export class Limits {
  readonly #translation: Translation;
  readonly #settings: Node | undefined;
  readonly #reflect: ForeignPhase | undefined;
  readonly #plan: ForeignPhase | undefined;

  constructor(translation: Translation) {
    const { to, document, outline } = translation;
    this.#translation = translation;
    this.#settings = to.get(document, 'settings');
    this.#reflect = outline.phases.find(({ name }) => /^reflect(?:ion)?$/i.test(name));
    this.#plan = outline.phases.find(({ name }) => /^plan(?:ning)?$/i.test(name)) ?? outline.phases[0];
    this.#report();
  }

  #get(key: string): Node | undefined {
    return this.#translation.to.get(this.#settings, key);
  }

  #stuck(key: string): Node | undefined {
    return this.#translation.to.get(this.#get('stuck_detection'), key);
  }

  get attempts(): number | undefined {
    return numberOf(this.#stuck('max_verification_attempts'));
  }

  /** What a person is asked, where the setting wants it and the phase does not ask by itself. */
  planApproval(phase: ForeignPhase, asksItself: boolean): Part | undefined {
    const node = this.#get('require_plan_approval');
    const wants = node?.kind === 'scalar' && node.value === true;
    return wants && phase === this.#plan && !asksItself ? built(node).scalar('Is this the plan?') : undefined;
  }

  /** For the whole workflow. */
  rules(): MapNode[] {
    const node = this.#get('max_actions_per_phase');
    if (node === undefined || this.#translation.outline.phases.length === 0) return [];
    const limit = this.#translation.names.variable('max_actions_per_phase').cel;
    const looking = LOOKING.map((tool) => `"${tool}"`).join(', ');
    return [
      built(node).map([
        ['when', `session.step.actions >= ${limit} && !(event.tool in [${looking}])`],
        [
          'ask',
          `This phase has made {{ session.step.actions }} tool calls, and {{ ${limit} }} are what it may make. May it go on?`,
        ],
      ]),
    ];
  }

  /** Where a phase goes when it takes too long. */
  ways(phase: ForeignPhase): MapNode[] {
    const reflect = this.#reflect;
    if (reflect === undefined || phase === reflect) return [];
    const ways: MapNode[] = [];
    const after = this.#get('reflect_after_actions');
    const reflects = phase.transitions.some(({ to }) => to === reflect.name);
    if (after !== undefined && !reflects && mayWrite(phase, this.#translation)) {
      const limit = this.#translation.names.variable('reflect_after_actions').cel;
      ways.push(
        built(after).map([
          ['when', `session.step.actions >= ${limit}`],
          ['goto', reflect.id],
        ]),
      );
    }
    const minutes = this.#stuck('max_phase_duration_minutes');
    const number = numberOf(minutes);
    if (minutes !== undefined && number !== undefined)
      ways.push(
        built(minutes).map([
          ['when', `session.step.elapsed >= ${Math.round(number * 60)}`],
          ['goto', reflect.id],
        ]),
      );
    return ways;
  }

  #report(): void {
    const { to, outline } = this.#translation;
    const tell = (key: string, why: string, held: Node | undefined = this.#settings) => {
      const entry = to.entry(held, key);
      if (entry)
        to.report.warn('field-ignored', nodeSpan(entry.keyNode), `\`${key}\` has no effect here: ${why}`);
    };
    tell('priority', 'lifecycle workflows go in the order in which a project lists them');
    if (this.#reflect !== undefined || outline.phases.length === 0) return;
    tell('reflect_after_actions', 'there is no phase `reflect` to go to; expressions see it all the same');
    tell('max_phase_duration_minutes', 'there is no phase `reflect` to go to', this.#get('stuck_detection'));
  }
}

function numberOf(node: Node | undefined): number | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'number' ? node.value : undefined;
}
