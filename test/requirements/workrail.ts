import type { Requirement } from '../ledger.ts';

// The workrail dialect: what its files mean here, and what became of the faults of the original. The guide drive, which
// hands the steps to a connected client, has ids of its own.

/** Any test that names the requirement. */
const named = (id: string, requirement: string): Requirement => ({ id, requirement, proof: `*${id}*` });

export const workrail: Requirement[] = [
  named(
    'RAIL-DETECT',
    'A workrail file is known by its shape, in YAML or JSON; ids with dots are kept as labels.',
  ),
  named(
    'RAIL-FIELDS',
    'Every field of real files is known: it has a meaning here, or a warning says that it has none; any other is an error.',
  ),
  named(
    'RAIL-CLAIM',
    'A step hands in a claim of notes, artifacts and context; notes must be there unless the step says otherwise.',
  ),
  named(
    'RAIL-CONTEXT',
    'The context of a claim becomes vars when the work is accepted; keys that are not declared are kept and harmless, `__proto__` too.',
  ),
  named('RAIL-TRIES', 'Work goes back twenty times, then a person is asked.'),
  named('RAIL-TEXT', '`{{a.b}}` is a value of the context or `[unset: a.b]`; other braces are left alone.'),
  named('RAIL-FRAGMENTS', 'A fragment is part of the prompt where its condition holds.'),
  named('RAIL-BLOCKS', 'A prompt may be made of blocks, with texts that it names.'),
  named(
    'RAIL-CONDITIONS',
    'Conditions compare as people do, what is unset is null, and none of them is ever an error.',
  ),
  named(
    'RAIL-CONFIRM',
    'A confirmation is asked after the work, by the preference of the person; one that is not asked for is on record.',
  ),
  named('RAIL-PREFERENCES', 'Autonomy and risk policy are inputs of the run, with what the file recommends.'),
  named(
    'RAIL-CONTRACTS',
    'A step with an output contract hands in the artifact; a contract that is not known blocks nothing.',
  ),
  named(
    'RAIL-CRITERIA',
    'Validation criteria are held against the notes: contains, regex, length, schema; and, or, not.',
  ),
  named('RAIL-ASSESSMENTS', 'Assessments are handed in level by level, and a bad one asks for more work.'),
  named('RAIL-VERIFY', '`verification.command` is run by the engine, and must end with 0.'),
  named(
    'RAIL-LOOP-ARTIFACT',
    'A loop that an artifact ends goes on until its own step says stop, or to its maximum; no loop ends another.',
  ),
  named(
    'RAIL-LOOPS',
    'while, until, for and forEach, with the names of their passes, inside one another too; a body may be the id of a step.',
  ),
  named('RAIL-TEMPLATE', 'The steps of a template stand where it is called, with its words filled in.'),
  named(
    'RAIL-DELEGATE',
    'Parallel delegations are workflows of their own, done one by one, and what they found comes back.',
  ),
  named('RAIL-ROUTINES', 'The five routines and the three templates come with it, and run.'),
  named(
    'RAIL-REFERENCES',
    'The package references come with it and are true; one that cannot be found is a warning, never a failed start.',
  ),
  named(
    'RAIL-CONVERT',
    '`lockstep convert` prints text that a person could have written, and that runs the same.',
  ),
  named(
    'RAIL-WALK-TASK',
    'The coding task is walked to its end: Small, QUICK, STANDARD, THOROUGH, Large and MultiPR.',
  ),
  named(
    'RAIL-LED-TASK',
    'A client that is led by MCP walks the coding task to its end: Small, QUICK, STANDARD, THOROUGH, Large and MultiPR.',
  ),
  named(
    'RAIL-LED-AUTHORING',
    'A client that is led by MCP walks the workflow for workflows to its end: QUICK, STANDARD and THOROUGH.',
  ),
  named(
    'RAIL-GATE',
    'Work that passed its checks and waits for a person to confirm it is answered with `kind: gate_checkpoint`.',
  ),
  named(
    'RAIL-WALK-AUTHORING',
    'The workflow for workflows is walked to its end: QUICK, STANDARD and THOROUGH.',
  ),
];
