import { describe, expect, test } from '@jest/globals';
import { isJsonObject } from '../../../../src/json/json.ts';
import { validateProject } from '../../../../src/manifest/resolve/validate-project.ts';
import { agent, type Files, makeProject, resolve } from '../../temp-project.ts';

const prompt = '# Agent\n\nBe nice at ${var.clinic}.\n\nNever give prices.\n';
const patch = `--- prompts/agent.md
+++ desk
@@ -4,2 +4,3 @@
 
 Never give prices.
+Parking is behind \${var.clinic}.
`;
const base = (instructions: string) =>
  `apiVersion: agentform/v1\nkind: Agent\nsettings:\n  agentInstructions: ${instructions}\nskills:\n  - { slug: x, instructions: "one\\ntwo\\nthree" }\n`;
const files = (more: Record<string, string> = {}): Files => ({
  'prompts/agent.md': prompt,
  'shared/base.yaml': base('{ file: ../prompts/agent.md }'),
  'clients/desk.patch': patch,
  'agents/a.yaml': agent('agentInstructions: { patch: ../clients/desk.patch }', 'extends: ../shared/base.yaml'),
  ...more,
});

async function instructions(all: Files, environment = 'local') {
  const { desired, problems } = await resolve(all, { environment, env: { AGENT_TOKEN: 'token-0' } });
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const settings = desired[0]?.sections.settings;
  return settings !== undefined && isJsonObject(settings) ? settings.agentInstructions : undefined;
}

/** The expected texts after the patch, as a complete file and as a patched text. The last line break is dropped. */
const whole = prompt
  .replace('prices.\n', 'prices.\nParking is behind ${var.clinic}.\n')
  .replaceAll('${var.clinic}', 'Elm Street');
const patched = whole.slice(0, -1);

async function problemsOf(all: Files) {
  const { problems } = await validateProject(await makeProject(all), { env: {} });
  const place = (at: { file: string; line: number } | undefined) => at && `${at.file}:${at.line}`;
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ rule, message, at, also }) => ({ rule, message, at: place(at), also: place(also?.at) }));
}

describe("patches of a base's text", () => {
  test.each<[string, Record<string, string>, string?]>([
    ['in a file', {}],
    ['in the base itself', { 'shared/base.yaml': base(JSON.stringify(prompt)) }, whole],
    [
      'in the base of a base',
      {
        'shared/base.yaml': 'apiVersion: agentform/v1\nkind: Agent\nextends: root.yaml\n',
        'shared/root.yaml': base('{ file: ../prompts/agent.md }'),
      },
    ],
  ])('A text may be a patch of a text %s.', async (_name, more, expected = patched) => {
    expect(await instructions(files(more))).toBe(expected);
  });

  test('A patch may apply to the result of another patch, also in an overlay.', async () => {
    const second = '--- a\n+++ b\n@@ -1 +1 @@\n-# Agent\n+# Desk\n';
    const rest =
      'extends: ../shared/base.yaml\nenvironments: { local: { settings: { agentInstructions: { patch: b.patch } } } }';
    const all = files({
      'agents/a.yaml': agent('agentInstructions: { patch: ../clients/desk.patch }', rest),
      'agents/b.patch': second,
    });
    expect(await instructions(all)).toBe(patched.replace('# Agent', '# Desk'));
    expect(await instructions(all, 'production')).toBe(patched.replaceAll('Elm Street', 'Oak Road'));
  });

  test('A patch may apply to a text in a list element.', async () => {
    const rest = 'extends: ../shared/base.yaml\nskills: [{ slug: x, instructions: { patch: x.patch } }]';
    const all = files({
      'agents/a.yaml': agent('', rest),
      'agents/x.patch': '--- a\n+++ b\n@@ -2 +2 @@\n-two\n+TWO\n',
    });
    const { desired } = await resolve(all, { environment: 'local', env: {} });
    expect(desired[0]?.sections.skills).toEqual([{ slug: 'x', instructions: 'one\nTWO\nthree' }]);
  });

  test('A patched text includes later edits of the base.', async () => {
    const moved = prompt.replace('Be nice', 'Be very nice');
    expect(await instructions(files({ 'prompts/agent.md': moved }))).toBe(patched.replace('Be nice', 'Be very nice'));
  });

  test('A patch in an unvalidated value is not applied.', async () => {
    const { desired } = await resolve(
      { 'agents/a.yaml': agent('', 'extraSettings: { x: { patch: v1 } }') },
      { environment: 'local', env: {} },
    );
    expect(desired[0]?.sections.extraSettings).toEqual({ x: { patch: 'v1' } });
  });
});

describe('patches that cannot be applied', () => {
  test('A patch of changed lines is a problem that names the patch and the text.', async () => {
    const moved = prompt.replace('Never give prices.', 'Prices are secret.');
    expect(await problemsOf(files({ 'prompts/agent.md': moved }))).toEqual([
      {
        rule: 'patch',
        message: expect.stringContaining(
          'the inherited text no longer contains the lines that this part of the patch changes',
        ),
        at: 'clients/desk.patch:3',
        also: 'prompts/agent.md:4',
      },
    ]);
  });

  test('A patch of lines that occur several times is a problem.', async () => {
    expect(await problemsOf(files({ 'prompts/agent.md': `${prompt}\nNever give prices.\n` }))).toMatchObject([
      { rule: 'patch', message: expect.stringContaining('appear several times in the inherited text') },
    ]);
  });

  test.each<[string, Record<string, string>, string]>([
    [
      'without a base',
      { 'agents/a.yaml': agent('agentInstructions: { patch: ../clients/desk.patch }') },
      'no base declares a text to patch',
    ],
    ['over a value that is not a text', { 'shared/base.yaml': base('null') }, 'no base declares a text to patch'],
    [
      'over a list',
      { 'shared/base.yaml': base('[be kind]') },
      'this value is not text, so a patch cannot change it; write the new value itself',
    ],
    [
      'that is not a unified diff',
      { 'clients/desk.patch': 'Be nice.\n' },
      "the patch 'clients/desk.patch' is not a unified diff",
    ],
    [
      'with a variable that has no value',
      { 'clients/desk.patch': patch.replace('var.clinic', 'var.nothing') },
      'nothing',
    ],
  ])('A patch %s is a problem.', async (_name, more, message) => {
    const found = await problemsOf(files(more));
    expect(found).toEqual(
      expect.arrayContaining([expect.objectContaining({ message: expect.stringContaining(message) })]),
    );
  });

  test('A patch file that is missing or outside the project is a problem.', async () => {
    const all = files({
      'agents/a.yaml': agent('agentInstructions: { patch: ../../x.patch }', 'extends: ../shared/base.yaml'),
    });
    expect(await problemsOf(all)).toMatchObject([{ rule: 'file', message: expect.stringContaining('leads outside') }]);
  });
});

test('The provenance of a patched text names the patch and its base.', async () => {
  const { provenanceOf, sourceAt } = await resolve(files(), { environment: 'local', env: {} });
  const found = provenanceOf('Agent/desk', ['settings', 'agentInstructions']);
  expect(found?.patched).toMatchObject({
    by: { path: 'clients/desk.patch' },
    from: { path: 'prompts/agent.md' },
    before: prompt.slice(0, -1),
  });
  expect(found?.declarations.map(({ file }) => file)).toEqual(['agents/a.yaml', 'shared/base.yaml']);
  expect(sourceAt('Agent/desk', ['settings', 'agentInstructions'])).toEqual({ file: 'clients/desk.patch', line: 1 });
});
