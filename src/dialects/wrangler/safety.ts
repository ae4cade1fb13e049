// safety: the limits of the workflow, and what a failure does to the run.

import { built } from '../../source/build-nodes.ts';
import type { Conforming } from '../../source/grammar/conform.ts';
import { type MapNode, type Node, nodeSpan } from '../../source/read/node.ts';
import { durationText, LONGEST_DURATION } from '../native-text.ts';
import type { ForeignStep } from './outline.ts';

export class Safety {
  readonly #node: Node | undefined;
  readonly #to: Conforming;

  constructor(document: MapNode, to: Conforming) {
    this.#node = to.get(document, 'safety');
    this.#to = to;
  }

  limits(): Node | undefined {
    const limits = [
      ['duration', this.#duration('maxWorkflowDurationMs'), this.#key('maxWorkflowDurationMs')],
      ['step', this.#duration('maxStepTimeoutMs'), this.#key('maxStepTimeoutMs')],
    ] as const;
    if (this.#node === undefined || limits.every(([, node]) => node === undefined)) return undefined;
    return built(this.#node).map(limits);
  }

  /** A group fails where one of its steps does, whatever the rest of the workflow does about it. */
  onFail(step: ForeignStep): Node {
    const given = this.#to.get(this.#node, 'failOnStepError');
    const goesOn = this.goesOnAfterFailure();
    const inGroup = step.list.owner?.kind === 'parallel';
    return built(given ?? step.node).scalar(goesOn && !inGroup ? 'continue' : 'stop');
  }

  goesOnAfterFailure(): boolean {
    const given = this.#to.get(this.#node, 'failOnStepError');
    return given?.kind === 'scalar' && given.value === false;
  }

  /** `maxRetries`, and no more than `maxLoopRetries`. */
  passes(step: ForeignStep): Node {
    const most = this.#number('maxLoopRetries');
    const own = this.#to.get(step.node, 'maxRetries');
    const wanted = own?.kind === 'scalar' && typeof own.value === 'number' ? own.value : undefined;
    const { report } = this.#to;
    if (own === undefined && most === undefined && this.#to.entry(step.node, 'maxRetries') === undefined) {
      report.error(
        'missing-field',
        nodeSpan(this.#to.get(step.node, 'name') ?? step.node),
        `${step.label} does not say how often it may repeat its steps`,
        'Write `maxRetries`, or `safety.maxLoopRetries` for all loops.',
      );
    }
    if (own !== undefined && wanted !== undefined && most !== undefined && wanted > most) {
      report.warn(
        'limit-lower',
        nodeSpan(own),
        `${step.label} may make ${most} passes, not ${wanted}: \`safety.maxLoopRetries\` is lower`,
        'Write the lower number, or raise the limit.',
      );
      return built(own).scalar(most);
    }
    return built(own ?? step.node).scalar(wanted ?? most ?? 1);
  }

  #number(field: string): number | undefined {
    const node = this.#to.get(this.#node, field);
    return node?.kind === 'scalar' && typeof node.value === 'number' ? node.value : undefined;
  }

  #duration(field: string): Node | undefined {
    const node = this.#to.get(this.#node, field);
    const milliseconds = this.#number(field);
    if (node === undefined || milliseconds === undefined) return undefined;
    if (milliseconds <= LONGEST_DURATION) return built(node).scalar(durationText(milliseconds));
    this.#to.report.error('out-of-range', nodeSpan(node), `\`${field}\` is more than a hundred years`);
    return undefined;
  }

  #key(field: string): Node | undefined {
    return this.#to.entry(this.#node, field)?.keyNode;
  }
}
