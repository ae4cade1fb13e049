// starter: what `lockstep init` writes: one of each kind of file, small, with comments.

export const STARTER: Record<string, string> = {
  '.lockstep/workflows/hello.yaml': `# yaml-language-server: $schema=../lockstep.schema.json
# A workflow: the engine runs these steps in this order and decides what counts as done.
lockstep: 1
name: hello
description: Writes a greeting, has it checked, and shows it.

inputs:
  name: { type: string, description: Who is greeted, default: world }

steps:
  # An agent does the work. It counts as done when every part of \`done\` holds; otherwise it is
  # sent back with the reasons, twice at most (\`tries\` is how often in all).
  - id: write
    agent: writer
    prompt: greeting
    with: { who: '{{ inputs.name }}' }
    done:
      that:
        - is: 'size(files("greeting.txt")) == 1'
          else: Write the greeting into greeting.txt.
      run: 'grep -q {{ inputs.name }} greeting.txt'
      tries: 3

  # A command. Its output can be used later as steps.show.output.
  - id: show
    run: [cat, greeting.txt]

outputs:
  greeting: '{{ steps.show.output }}'
`,
  '.lockstep/agents/writer.md': `---
name: writer
description: Writes short texts.
tools: { allow: [Read, Write] }
---
You write short, friendly texts. You do what is asked and nothing else.
`,
  '.lockstep/prompts/greeting.md': `---
name: greeting
description: Ask for a greeting.
inputs: [who]
---
Write one line that greets {{ who }} into the file greeting.txt.
`,
  '.lockstep/scripts/hello.yaml': `# Answers for the scripted agent, so that the workflow runs without a model. The first try forgets the
# name; the check finds out, and the second one is right.
answers:
  write:
    - { write: { greeting.txt: "Hello!\\n" }, text: Done. }
    - { write: { greeting.txt: "Hello, Ada, and welcome, world!\\n" }, text: Done. }
`,
};
