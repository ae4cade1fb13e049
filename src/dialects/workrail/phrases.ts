// phrases: texts that a workrail workflow names and does not have: parts of prompts, and advice by feature. In our words.

/** Of `promptBlocks`, as `{ kind: ref, refId }`. */
export const REFS: Readonly<Record<string, string>> = {
  notes_first_durability:
    'Put what matters into your notes: what you found, what you decided and why. The notes are what later steps and people rely on; do not keep a second record in a file of your own.',
  parallelize_cognition_serialize_synthesis:
    'Look into things that do not depend on each other at the same time. Bring what came back together yourself, one thing after the other, and let only one of you write.',
  synthesis_under_disagreement:
    'Where two findings contradict each other, do not split the difference: look at the evidence itself, say which of them holds and why, and say what is still open.',
  adversarial_challenge_rules:
    'Argue against the favourite as strongly as you honestly can: what would make it fail, which assumption carries it, what was not looked at. A challenge that finds nothing says what it tried.',
};

/** Of `features`. */
export const FEATURES: Readonly<Record<string, string>> = {
  'wr.features.capabilities':
    'Use what this client has (other agents, the web, memory) where it helps; where it has none of it, do the work yourself and say so in the notes.',
  'wr.features.subagent_guidance':
    'Hand only bounded questions to other agents, with all they need to know. What they answer is evidence: you weigh it, you decide, you write.',
  'wr.features.memory_context':
    'Look first whether earlier sessions left something about this task, and check what you find before you rely on it.',
};
