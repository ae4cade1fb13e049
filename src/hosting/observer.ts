// observer: who looks on while a run is in hand. The only way by which anything of it is told.

import type { Interlocutor } from '../runtime/conversation.ts';
import type { LiveEvent } from '../runtime/perform/perform.ts';
import type { Change } from '../views/outline/shape.ts';
import type { HeldRun } from './held-run.ts';

export interface Observer {
  /** The run is there and held, and about to go on: called before it is told of any entry. */
  opened?(run: HeldRun): void;
  /** What each durable entry changed, in order. */
  changed?(change: Change): void;
  /** What an agent or a command does right now; nothing of this is journaled. */
  live?(event: LiveEvent): void;
  warned?(message: string): void;
  /** Who is asked what the run asks a person. */
  interlocutor?: Interlocutor;
}
