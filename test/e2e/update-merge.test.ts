import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { agentManifest, type Remote, startSaveableRemote } from '../support/remote.ts';
import { savedState } from '../support/saved-state.ts';
import { shareProcess } from '../support/shared-process.ts';
import { updatesIn } from '../support/update-json.ts';

shareProcess();

const projectFile = (baseUrl: string) => `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
defaultEnvironment: test
environments:
  test: { baseUrl: "${baseUrl}", token: "\${secret.AGENT_TOKEN}", variables: { brand: Elm Dental } }
`;

const manifest = agentManifest(
  'desk',
  `settings:
  title: Desk
  description: Answers
  agentInstructions: { file: ../prompts/desk.md }
  publicInstructions: |
    one
    two
    three
    four
    five
`,
);

/** Line 3 has a variable. */
const prompt = '# Desk\n\nYou work at ${var.brand}.\n\nBe nice.\n\nNever give prices.\n\nSay goodbye.\n';
const applied = prompt.replace('${var.brand}', 'Elm Dental');

let remote: Remote;
let project: TestProject;
let startOver: () => Promise<void>;

beforeAll(async () => {
  remote = await startSaveableRemote();
  project = await testProject(
    { 'agentform.yaml': projectFile(remote.baseUrl), 'agents/desk.yaml': manifest, 'prompts/desk.md': prompt },
    { AGENT_TOKEN: 'token-of-desk' },
  );
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  startOver = await savedState(remote, project.root);
});
beforeEach(() => startOver());
afterAll(async () => {
  await project.remove();
  await remote.close();
});

/** Edits the agent as in the dashboard. */
async function live(settings: Readonly<Record<string, unknown>>): Promise<void> {
  const record = JSON.parse(await project.read('.agentform/records/test/Agent/desk.json'));
  await remote.dashboard(record.id, settings);
}

async function liveSettings(): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = await project.run('explain', 'desk', 'settings.agentInstructions', '--format', 'json');
  return JSON.parse(stdout).fields[0];
}

const flat = (text: string) => text.replace(/\s+/g, ' ');
const update = (...args: string[]) => project.run('update', 'desk', ...args);

async function changes(): Promise<string[]> {
  const { stdout } = await project.run('plan', '--format', 'json', 'desk');
  return JSON.parse(stdout).resources[0].changes.flatMap((one: Record<string, unknown>) =>
    one.knowledge === 'compared' ? [`${one.path} ${one.cause}${one.mergeable ? ' mergeable' : ''}`] : [],
  );
}

describe('edits of different lines', () => {
  const theirs = applied.replace('Be nice.', 'Be very nice.');
  const ours = prompt.replace('Say goodbye.', 'Say goodbye and thank you.');
  const both = ours.replace('Be nice.', 'Be very nice.');

  test('Edits of different lines are merged into the text file, and an apply then leaves no change.', async () => {
    await live({ agentInstructions: theirs });
    await project.write('prompts/desk.md', ours);
    expect(await changes()).toEqual(['settings.agentInstructions conflict mergeable']);
    const { stdout, code } = await update();
    expect(code).toBe(0);
    expect(stdout).toContain('+ Be {+very +}nice.');
    expect(flat(stdout)).toContain("merged with the manifest's own edits in prompts/desk.md");
    expect(await project.read('prompts/desk.md')).toBe(both);
    expect(await changes()).toEqual(['settings.agentInstructions manifest']);
    expect(flat((await project.run('drift')).stdout)).toContain(
      'the files contain the live edits and other edits; the next apply sends both',
    );
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(await changes()).toEqual([]);
    expect(await liveSettings()).toMatchObject({ live: both.replace('${var.brand}', 'Elm Dental').trimEnd() });
  });

  test('Edits of different lines are also merged in a YAML block.', async () => {
    await live({ publicInstructions: 'ONE\ntwo\nthree\nfour\nfive' });
    await project.edit('agents/desk.yaml', 'five', 'FIVE');
    expect(await update('--field', 'settings.publicInstructions')).toMatchObject({ code: 0 });
    expect(await project.read('agents/desk.yaml')).toBe(
      manifest.replace('    five', '    FIVE').replace('    one', '    ONE'),
    );
  });

  test('Edits of different lines have a merge command in plan, explain, drift and a refused apply.', async () => {
    await live({ agentInstructions: theirs });
    await project.write('prompts/desk.md', ours);
    const note = 'conflict: edited in the dashboard and in the files, in different lines';
    const remedy = 'To merge the dashboard edits into the files, run `agentform update desk -e test`';
    const plan = flat((await project.run('plan')).stdout);
    expect(plan).toContain(note);
    expect(plan).toContain('C) Use both, joined in the files first: `agentform update desk -e test`');
    const markdown = (await project.run('plan', '--format', 'markdown')).stdout;
    expect(markdown).toContain('agentform joins them. You lose nothing.');
    expect(markdown).toContain('agentform update desk -e test');
    expect(flat((await project.run('drift')).stdout)).toContain(note);
    expect(flat((await project.run('explain', 'desk', 'settings.agentInstructions')).stdout)).toContain(
      `The manifest and the service both changed since the last apply, in different lines. ${remedy}.`,
    );
    const apply = await project.run('apply', '--yes', '--new', 'all');
    expect(apply.code).toBe(3);
    expect(flat(apply.stdout + apply.stderr)).toContain(remedy);
  });

  test('Edits of different lines need no update if the manifest already contains the live ones.', async () => {
    await live({ agentInstructions: theirs });
    await project.write('prompts/desk.md', both);
    expect(await changes()).toEqual(['settings.agentInstructions manifest']);
    expect((await project.run('apply', '--yes', '--new', 'all')).code).toBe(0);
  });

  test('A live edit in the line of a variable is copied as it is, beside the edits of the manifest.', async () => {
    await live({
      agentInstructions: applied.replace('You work at Elm Dental.', 'You work for Elm Dental, since 1990.'),
    });
    await project.write('prompts/desk.md', ours);
    const { stdout, code } = await update();
    expect(code).toBe(0);
    expect(stdout).toContain('settings.agentInstructions no longer uses ${var.brand}');
    expect(await project.read('prompts/desk.md')).toBe(
      ours.replace('You work at ${var.brand}.', 'You work for Elm Dental, since 1990.'),
    );
  });
});

describe('edits of the same line', () => {
  const theirs = applied.replace('Never give prices.', 'Give prices.').replace('# Desk', '# Front desk');
  const ours = prompt.replace('Never give prices.', 'Prices are secret.').replace('Say goodbye.', 'Say farewell.');
  beforeEach(async () => {
    await live({ agentInstructions: theirs });
    await project.write('prompts/desk.md', ours);
  });

  test('Edits of the same line are not merged, and both sides are shown with the commands that decide.', async () => {
    expect(await changes()).toEqual(['settings.agentInstructions conflict']);
    expect(flat((await project.run('plan')).stdout)).toContain('both at line 7 of the text in the files');
    const { stdout, code } = await update();
    expect(code).toBe(3);
    expect(flat(stdout)).toContain(
      'not updated: settings.agentInstructions: the dashboard and the files both changed line 7. ' +
        'To use the live value there, run `agentform update Agent/desk --field settings.agentInstructions --theirs -e test`. ' +
        'To keep the value in the files, run `agentform update Agent/desk --field settings.agentInstructions --ours -e test`',
    );
    expect(stdout).toContain(
      [
        'line 7',
        '        last applied     Never give prices.',
        '        on the service   Give prices.',
        '        in the manifest  Prices are secret.',
      ].join('\n'),
    );
    expect(await project.read('prompts/desk.md')).toBe(ours);
    expect(updatesIn((await update('--format', 'json')).stdout).resources[0]?.refused[0]?.overlaps).toEqual([
      { line: 7, base: ['Never give prices.'], ours: ['Prices are secret.'], theirs: ['Give prices.'] },
    ]);
  });

  test.each([[['--theirs']], [['--field', 'settings.agentInstructions']]])(
    'Update with %j keeps the live lines in a conflict, and other edits of the manifest.',
    async (args) => {
      expect(await update(...args)).toMatchObject({ code: 0 });
      expect(await project.read('prompts/desk.md')).toBe(
        ours.replace('Prices are secret.', 'Give prices.').replace('# Desk', '# Front desk'),
      );
      expect(await changes()).toEqual(['settings.agentInstructions manifest']);
    },
  );

  test("Update --ours keeps the manifest's lines in a conflict, and copies other live edits.", async () => {
    expect(await update('--ours')).toMatchObject({ code: 0 });
    const kept = ours.replace('# Desk', '# Front desk');
    expect(await project.read('prompts/desk.md')).toBe(kept);
    expect(await changes()).toEqual(['settings.agentInstructions conflict']);
    const again = await update('--ours');
    expect(again.code).toBe(0);
    expect(flat(again.stdout)).toContain(
      "kept the manifest's value of settings.agentInstructions; to replace the live value, run `agentform apply --overwrite Agent/desk -e test`",
    );
    expect(await project.read('prompts/desk.md')).toBe(kept);
  });

  test('Update refuses --ours and --theirs together.', async () => {
    const { stderr, code } = await update('--ours', '--theirs');
    expect(code).toBe(1);
    expect(stderr).toContain('--ours cannot be combined with --theirs; use one of them');
  });
});

test("A live value that replaces all of the manifest's edits is not reported as merged.", async () => {
  await live({ title: 'Reception' });
  await project.edit('agents/desk.yaml', 'title: Desk', 'title: Front office');
  const { stdout, code } = await update('--theirs');
  expect(code).toBe(0);
  expect(flat(stdout)).toContain('"Front office" → "Reception" in agents/desk.yaml:5');
});

test('A conflict in a value that is not a text is decided as a whole.', async () => {
  await project.edit('agents/desk.yaml', 'title: Desk', 'title: Desk\n  links: [https://a.example]');
  await project.run('apply', '--yes', '--new', 'all');
  await live({ links: ['https://live.example'] });
  await project.edit('agents/desk.yaml', 'a.example', 'b.example');
  const { stdout, code } = await update();
  expect(code).toBe(3);
  expect(flat(stdout)).toContain('settings.links: the dashboard and the files both changed it. ');
  expect((await update('--ours')).stdout).toContain("kept the manifest's value of settings.links");
  expect(await project.read('agents/desk.yaml')).toContain('links: [https://b.example]');
  expect(await update('--theirs')).toMatchObject({ code: 0 });
  expect(await project.read('agents/desk.yaml')).toContain('links: [https://live.example]');
});
