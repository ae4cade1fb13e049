// guard-templates: the seven templates that come with Lockstep, walked to their end by scripted conversations (issue 13).

import type { Requirement } from '../ledger.ts';

const WALKS = 'test/guard/templates.test.ts';
const DRIVE = 'src/drivers/guard/guard.test.ts › guard';
const walk = (suite: string, id: string) => `${WALKS} › ${suite} › ${id}: *`;

export const guardTemplates: Requirement[] = [
  {
    id: 'GOB-TEMPLATE-PLAN-EXECUTE',
    requirement:
      'plan-execute: nothing but the plan is written until a person says yes; then the tests decide.',
    proof: walk('plan-execute', 'GOB-TEMPLATE-PLAN-EXECUTE'),
  },
  {
    id: 'GOB-TEMPLATE-REACT',
    requirement:
      'react: each observation is put into the context once, with the next event that can carry it.',
    proof: walk('react', 'GOB-TEMPLATE-REACT'),
  },
  {
    id: 'GOB-TEMPLATE-PLAN-ACT-REFLECT',
    requirement:
      'plan-act-reflect: after a number of actions or an error nothing is changed until the person says to go on, to revise or that it is done.',
    proof: walk('plan-act-reflect', 'GOB-TEMPLATE-PLAN-ACT-REFLECT'),
  },
  {
    id: 'GOB-TEMPLATE-ARCHITECT',
    requirement: 'architect: requirements, design, implementation, review; the review changes nothing.',
    proof: walk('architect', 'GOB-TEMPLATE-ARCHITECT'),
  },
  {
    id: 'GOB-TEMPLATE-TEST-DRIVEN',
    requirement:
      'test-driven: the code cannot be written before a test really fails, and no test can be changed until it passes, by a tool or by a command.',
    proof: walk('test-driven', 'GOB-TEMPLATE-TEST-DRIVEN'),
  },
  {
    id: 'GOB-TEMPLATE-PLAN-TO-TASKS',
    requirement: 'plan-to-tasks: each task comes up once, in order, and is verified before the next.',
    proof: walk('plan-to-tasks', 'GOB-TEMPLATE-PLAN-TO-TASKS'),
  },
  {
    id: 'GOB-TEMPLATE-SESSION-HANDOFF',
    requirement:
      'session-handoff: on with `init --client` unless refused; a summary without a model says only what happened; the next session gets it, once, and who got it is on record.',
    proof: walk('session-handoff', 'GOB-TEMPLATE-SESSION-HANDOFF'),
  },
  {
    id: 'GOB-TEMPLATE-PRINTED',
    requirement: 'The complete and the minimal example of the seed hold a session as printed.',
    proof: walk('gobby', 'GOB-TEMPLATE-PRINTED'),
  },
  {
    id: 'GOB-APPROVAL-WORDS',
    requirement:
      'A yes or a no answers an approval that names no words; a prompt that says both answers nothing, and the person is told.',
    proof: [
      'src/drivers/guard/prompt-answer.test.ts › GOB-APPROVAL-WORDS: what a person types as the answer',
      `${DRIVE} › a prompt that does not answer what is asked is told so, *`,
    ],
  },
  {
    id: 'GOB-RECONCILE-LISTS',
    requirement:
      'Where a step may write some files only, what a command changes beside them is found, holds the step, and may be put back.',
    proof: [
      `${DRIVE} › finds what a shell call changed beside the files that the step may write, *`,
      `${DRIVE} › finds what a shell call changed of what the step denies, *`,
    ],
  },
];
