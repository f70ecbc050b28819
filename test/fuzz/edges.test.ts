import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testProject } from '../support/cli.ts';
import { fuzzing, fuzzTimeout } from '../support/fuzz.ts';
import { runWithin } from '../support/processor-limit.ts';

// Validates files with random beginnings and ends and misplaced lines. Every search for a line must end. An endless
// search would block jest forever, so a separate process with a time limit validates the files.

/** The limit of processor time, in seconds. The run takes about two seconds. */
const maxSeconds = 60;

const edge = fc.constantFrom(
  ...['', '', '\n', '\n\n', '\r', '\r\n', '\n\r', '\ufeff', '\ufeff\n', '\n\ufeff', ' ', ' \n', '\t\n', '\0', '\u2028'],
  ...['---\n', '\n---\n', '...\n', '#', '|\n', '"', '```\n', '<!--', '${', '<<<<<<< a\n', ',', ';\n'],
);

const lineEnd = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r', '\n\n');

/** A random change of a line. */
const lineChange = fc.record({
  place: fc.double({ min: 0, max: 0.99, noNaN: true }),
  by: fc.constantFrom<(line: string) => string[]>(
    () => [],
    () => [''],
    (line) => [` ${line}`],
    (line) => [`   ${line}`],
    (line) => [`\t${line}`],
    (line) => [line.replace(/^ {1,2}/, '')],
    (line) => [line.trimStart()],
    (line) => [line, line],
    (line) => [line.replace(':', '')],
    (line) => [line.replace(/: /, ':')],
    (line) => [`${line}\r`],
    (line) => [`${line} "`],
    (line) => ['', '', line],
    (line) => [line.slice(0, line.length / 2), line.slice(line.length / 2)],
  ),
});

/** The text as an editor, a spreadsheet or a merge might damage it. */
function damaged(text: string): fc.Arbitrary<string> {
  return fc
    .record({
      before: edge,
      after: edge,
      changes: fc.array(lineChange, { maxLength: 3 }),
      feed: lineEnd,
      isGone: fc.nat(19).map((number) => number === 0),
    })
    .map(({ before, after, changes, feed, isGone }) => {
      let lines = text.split('\n');
      for (const { place, by } of changes) {
        const at = Math.floor(place * lines.length);
        lines = [...lines.slice(0, at), ...by(lines[at] ?? ''), ...lines.slice(at + 1)];
      }
      return before + (isGone ? '' : lines.join(feed)) + after;
    });
}

const head = (kind: string, name: string) => `apiVersion: agentform/v1\nkind: ${kind}\nname: ${name}\n`;

const agent = `${head('Agent', 'NAME')}settings:
  title: Front desk # shown to callers
  description: 'Answers the phone'
  agentInstructions: |
    # Calls

    - Say hello.
    - Ask for the name.
  welcomeMessage: >-
    Hello there,
    how can I help?
skills:
  - slug: opening-hours
    instructions: "Open from 9\\n to 5"
  - { slug: parking, instructions: 'Behind the house' }
`;

const withPrompt = `${head('Agent', 'NAME')}settings:
  title: T
  description: d
  agentInstructions: { file: ../prompts/NAME.md }
`;

const prompt = `# Calls

1. Say hello to \${var.clinic}.
2. Ask for the name.

<!-- agentform-allow prompt-placeholder -->
| Day | Hours |
| --- | --- |
| Mon | 9-5 |

\`\`\`
Caller: "Hi."
\`\`\`

* Call +1 415 555 0100 or write to desk@example.com.
* Never give the {{code}}.
`;

const fleet = `${head('Fleet', 'NAME')}templates:
  - ../shared/template.yaml
members: { file: ../tables/NAME.csv }
`;

const template = `${head('Agent', '${var.name}')}settings:
  title: \${var.title}
  description: d
`;

const table = 'name,title,phone\nNAME-elm,"Elm, Street",+14155550100\nNAME-oak,Oak ""Road"",\n,,\n';

const policy = `${head('Policy', 'NAME')}rules:
  - deny: |
      !has(desired.settings.title) ||
      desired.settings.title == "x"
    message: no title
`;

const cases = `${head('Test', 'NAME')}agents: ["*"]
cases:
  - name: greets
    text: welcomeMessage
    expect: { matches: '^Hello\\b' }
  - { name: hours, text: agentInstructions, expect: { words: { atMost: 500 } } }
`;

const files = fc.record({
  agent: damaged(agent),
  prompt: damaged(prompt),
  table: damaged(table),
  fleet: fc.oneof(fc.constant(fleet), damaged(fleet)),
  policy: damaged(policy),
  cases: damaged(cases),
});

const projectFile = `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml", "fleets/*.yaml", "policies/*.yaml", "tests/*.yaml"]
record: { store: file }
environments:
  local: { baseUrl: emulator, variables: { clinic: Elm Street } }
`;

test(
  'Validate ends, whatever files begin and end with.',
  async () => {
    const project = await testProject({ 'agentform.yaml': projectFile, 'shared/template.yaml': template });
    try {
      for (const [index, made] of samples().entries()) {
        const own = (text: string) => text.replaceAll('NAME', `x${index}`);
        await project.write(`agents/a${index}.yaml`, own(made.agent));
        await project.write(`agents/b${index}.yaml`, own(withPrompt));
        await project.write(`prompts/x${index}.md`, own(made.prompt));
        await project.write(`fleets/f${index}.yaml`, own(made.fleet));
        await project.write(`tables/x${index}.csv`, own(made.table));
        await project.write(`policies/p${index}.yaml`, own(made.policy));
        await project.write(`tests/t${index}.yaml`, own(made.cases));
      }
      const { code, signal, stdout, stderr } = await runWithin(maxSeconds, ['validate'], { cwd: project.root });
      expect({ code, signal, stderr: stderr.slice(0, 2000) }).toMatchObject({ code: 1, signal: null });
      expect(stdout + stderr).not.toContain('this is a bug');
    } finally {
      await project.remove();
    }
  },
  fuzzTimeout,
);

/** The number of samples. `npm run fuzz` uses the largest number that one run can check, with a new seed. */
function samples() {
  const { seed, numRuns = 0 } = fuzzing(120);
  return fc.sample(files, { ...(seed !== undefined && { seed }), numRuns: Math.min(numRuns, 1000) });
}
