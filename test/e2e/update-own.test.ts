import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Plan } from '../../src/schemas/plan-types.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { git } from '../support/git.ts';
import { type Remote, startSaveableRemote } from '../support/remote.ts';
import { savedState } from '../support/saved-state.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const projectFile = (baseUrl: string) => `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
defaultEnvironment: test
environments:
  test: { baseUrl: "${baseUrl}", variables: { brand: Elm Dental } }
`;
const prompt = '# Dentist\n\nYou work at ${var.brand}.\n\nBe nice.\n\nNever give prices.\n';
const spoken = prompt.replace('${var.brand}', 'Elm Dental');
const base = `apiVersion: agentform/v1
kind: Agent
settings:
  description: Answers
  agentVoice: warm-1
  agentInstructions: { file: dentist.md }
  publicInstructions: |
    one
    two
    three
    four
skills:
  - { slug: calendar, instructions: Offer two times. }
  - { slug: billing, instructions: Take cards. }
environments:
  test: { settings: { agentModel: standard-2 } }
`;
const client = (name: string) => `apiVersion: agentform/v1
kind: Agent
name: ${name}
extends: ../shared/dentist.yaml
settings:
  title: ${name}
target: { token: "\${secret.${name.toUpperCase()}_TOKEN}" }
`;

let remote: Remote;
let project: TestProject;
let startOver: () => Promise<void>;

beforeAll(async () => {
  remote = await startSaveableRemote();
  project = await testProject(
    {
      'agentform.yaml': projectFile(remote.baseUrl),
      'agents/elm.yaml': client('elm'),
      'agents/oak.yaml': client('oak'),
      'shared/dentist.yaml': base,
      'shared/dentist.md': prompt,
    },
    { ELM_TOKEN: 'token-of-elm', OAK_TOKEN: 'token-of-oak' },
  );
  await applied();
  startOver = await savedState(remote, project.root);
});
beforeEach(() => startOver());
afterAll(async () => {
  await project.remove();
  await remote.close();
});

async function applied(): Promise<void> {
  const { code, stderr, stdout } = await project.run('apply', '--yes', '--new', 'all');
  if (code !== 0) throw new Error(stderr + stdout);
}

async function live(settings: Readonly<Record<string, unknown>>, name = 'elm'): Promise<void> {
  const record = JSON.parse(await project.read(`.agentform/records/test/Agent/${name}.json`));
  await remote.dashboard(record.id, settings);
}

/** Returns the changes to all agents that the plan found by comparing values. */
async function compared(): Promise<string[]> {
  const { stdout } = await project.run('plan', '--format', 'json');
  return JSON.parse(stdout).resources.flatMap((one: { name: string; changes: Record<string, string>[] }) =>
    one.changes.flatMap(({ knowledge, path, cause }) =>
      knowledge === 'compared' ? [`${one.name} ${path} ${cause}`] : [],
    ),
  );
}

const flat = (text: string) => text.replace(/\s+/g, ' ');
const update = (...args: string[]) => project.run('update', 'elm', ...args);
const parking = spoken.replace('prices.\n', 'prices.\nParking is behind Elm Dental.\n');

describe('an edit of one agent with a shared base', () => {
  test('A text without a shared line becomes a separate file, and an empty text becomes an empty value.', async () => {
    await live({ publicInstructions: 'All\nis new.\n' });
    await live({ publicInstructions: '' }, 'oak');
    expect(await project.run('update', 'elm', 'oak')).toMatchObject({ code: 0 });
    expect(await project.read('agents/elm.public-instructions.md')).toBe('All\nis new.\n\n');
    expect(await project.read('agents/elm.yaml')).toContain(
      'publicInstructions:\n    file: elm.public-instructions.md\n',
    );
    expect(await project.read('agents/oak.yaml')).toMatch(/publicInstructions: (null|"")/);
    expect(await compared()).toEqual([]);
  });

  test('A text with shared lines becomes a patch, so that later edits of the base reach it.', async () => {
    await live({ agentInstructions: parking });
    const { code, stdout } = await update();
    expect(code).toBe(0);
    expect(stdout).toContain('Updated 1 value from test in agents/elm.agent-instructions.patch and agents/elm.yaml.');
    expect(await project.read('agents/elm.agent-instructions.patch')).toBe(
      '--- shared/dentist.md\n+++ elm\n@@ -7,1 +7,2 @@\n Never give prices.\n+Parking is behind Elm Dental.\n',
    );
    expect(await project.read('agents/elm.yaml')).toContain(
      '  agentInstructions:\n    patch: elm.agent-instructions.patch\n',
    );
    expect(await project.read('shared/dentist.md')).toBe(prompt);
    expect(await compared()).toEqual([]);
    await project.write('shared/dentist.md', prompt.replace('Be nice.', 'Be very nice.'));
    expect(await compared()).toEqual([
      'elm settings.agentInstructions manifest',
      'oak settings.agentInstructions manifest',
    ]);
    await applied();
    const { stdout: explained } = await project.run('explain', 'elm', 'settings.agentInstructions');
    expect(explained).toContain('Be very nice.');
    expect(explained).toContain('Parking is behind Elm Dental.');
    expect(explained).toMatch(/text from +shared\/dentist\.md\n +patched by +agents\/elm\.agent-instructions\.patch/);
  });

  const inBraces = `apiVersion: agentform/v1
kind: Agent
name: elm
extends: ../shared/dentist.yaml
settings: { title: elm, welcomeMessage: Hi }
target: { token: "\${secret.ELM_TOKEN}" }
`;
  const inJson = `{"apiVersion":"agentform/v1","kind":"Agent","name":"elm","extends":"../shared/dentist.yaml","settings":{"title":"elm","welcomeMessage":"Hi"},"target":{"token":"\${secret.ELM_TOKEN}"}}`;

  test.each([
    [
      'braces on one line',
      inBraces,
      inBraces.replace('elm, welcomeMessage: Hi', 'Elm, welcomeMessage: Hello, agentVoice: warm-2'),
    ],
    [
      'JSON on one line',
      inJson,
      inJson.replace('"elm","welcomeMessage":"Hi"', '"Elm","welcomeMessage":"Hello", "agentVoice": "warm-2"'),
    ],
  ])('Values of the base and of the manifest can change together in %s.', async (_, manifest, expected) => {
    await project.write('agents/elm.yaml', manifest);
    await applied();
    await live({ title: 'Elm', welcomeMessage: 'Hello', agentVoice: 'warm-2' });
    expect(await update()).toMatchObject({ code: 0 });
    expect(await project.read('agents/elm.yaml')).toBe(expected);
    expect(await compared()).toEqual([]);
  });

  test('A patch is rewritten by the next edit, and deleted once the text equals the shared one.', async () => {
    await live({ agentInstructions: parking });
    await update();
    await applied();
    await live({ agentInstructions: parking.replace('# Dentist', '# Our dentist') });
    expect(await update()).toMatchObject({ code: 0 });
    expect(await project.read('agents/elm.agent-instructions.patch')).toContain('+# Our dentist\n');
    expect(await compared()).toEqual([]);
    await applied();
    await live({ agentInstructions: spoken });
    expect(await update()).toMatchObject({ code: 0 });
    expect(await project.read('agents/elm.yaml')).toBe(client('elm'));
    expect(await compared()).toEqual([]);
  });

  test('A repeated update reuses the patch that a kill left, but not a patch with another text.', async () => {
    await live({ agentInstructions: parking });
    await update();
    const written = await project.read('agents/elm.yaml');
    await project.write('agents/elm.yaml', client('elm'));
    expect(await update()).toMatchObject({ code: 0 });
    expect(await project.read('agents/elm.yaml')).toBe(written);
    await project.write('agents/elm.yaml', client('elm'));
    await project.write('agents/elm.agent-instructions.patch', 'mine');
    expect(await update()).toMatchObject({ code: 0 });
    expect(await project.read('agents/elm.yaml')).toContain('patch: elm.agent-instructions-2.patch\n');
    expect(await project.read('agents/elm.agent-instructions.patch')).toBe('mine');
  });

  test('An overlapping edit of the shared text is a problem that names both places.', async () => {
    await live({ agentInstructions: parking });
    await update();
    await project.write('shared/dentist.md', prompt.replace('Never give prices.', 'Prices are on the web.'));
    const { code, stdout, stderr } = await project.run('validate');
    expect(code).toBe(1);
    expect(stdout + stderr).toContain('agents/elm.agent-instructions.patch:3:1');
    expect(stdout + stderr).toContain('shared/dentist.md:7:1');
  });

  test('Short values, list elements and overlays are written where they take precedence.', async () => {
    await live({
      agentVoice: 'warm-2',
      agentModel: 'standard-3',
      publicInstructions: 'one\ntwo\nthree\nfour\nfive',
      skills: [
        { slug: 'calendar', instructions: 'Offer three times.' },
        { slug: 'billing', instructions: 'Take cards.' },
        { slug: 'fax', instructions: 'No.' },
      ],
    });
    expect(await update()).toMatchObject({ code: 0, stderr: '' });
    const text = await project.read('agents/elm.yaml');
    expect(text).toContain('  agentVoice: warm-2\n');
    expect(text).toContain('    patch: elm.public-instructions.patch\n');
    expect(text).toContain('skills:\n  - slug: calendar\n    instructions: Offer three times.\n');
    expect(text).toContain('- slug: fax\n    instructions: No.\n');
    expect(text).toMatch(/environments:\n {2}test:\n {4}settings:\n {6}agentModel: standard-3\n/);
    expect(await project.read('shared/dentist.yaml')).toBe(base);
    expect(await compared()).toEqual([]);
  });

  test('An element that only the shared file can remove is refused, and the other elements are written.', async () => {
    await live({
      skills: [
        { slug: 'calendar', instructions: 'Offer three times.' },
        { slug: 'fax', instructions: 'No.' },
      ],
    });
    const marked = JSON.parse((await project.run('plan', '--format', 'json')).stdout) as Plan;
    const refused = marked.resources.flatMap(({ changes }) => changes.filter((one) => one.updateRefusal !== undefined));
    expect(refused.map(({ path }) => path)).toEqual(['skills[billing]']);
    const { code, stdout } = await update();
    expect(code).toBe(3);
    expect(flat(stdout)).toContain(
      'not updated: skills[billing]: it can only be removed from shared/dentist.yaml, which other resources use too; ' +
        'to remove it there, run `agentform update Agent/elm --to shared/dentist.yaml -e test`',
    );
    expect(await compared()).toEqual(['elm skills[billing] drift']);
    expect(await update('--to', 'shared/dentist.yaml', '--yes')).toMatchObject({ code: 0 });
    expect(await project.read('shared/dentist.yaml')).not.toContain('billing');
    expect(await compared()).toEqual(['oak skills[billing] manifest']);
  });

  test('A removed value that no value can represent is refused, and the others are written.', async () => {
    await project.edit('shared/dentist.yaml', 'agentVoice: warm-1', 'agentVoice: warm-1\n  timezone: UTC');
    await applied();
    await live({ timezone: null, agentVoice: 'warm-2' });
    const { code, stdout } = await update();
    expect(code).toBe(3);
    expect(flat(stdout)).toContain('not updated: settings.timezone: it can only be removed from shared/dentist.yaml');
    expect(await project.read('agents/elm.yaml')).toContain('agentVoice: warm-2');
    expect(await project.read('agents/elm.yaml')).not.toContain('timezone');
  });

  test('A text that two manifests share becomes a copy.', async () => {
    const both = { elm: client('elm'), oak: client('oak') };
    for (const [name, text] of Object.entries(both)) {
      await project.write(
        `agents/${name}.yaml`,
        text.replace('  title', '  adminInstructions: { file: ../shared/admin.md }\n  title'),
      );
    }
    await project.write('shared/admin.md', 'Only admins.\n');
    await applied();
    await live({ adminInstructions: 'Only admins and owners.' });
    expect(await update()).toMatchObject({ code: 0 });
    expect(await project.read('agents/elm.admin-instructions.md')).toBe('Only admins and owners.\n');
    expect(await project.read('agents/elm.yaml')).toContain('{ file: elm.admin-instructions.md }');
    expect(await project.read('shared/admin.md')).toBe('Only admins.\n');
    expect(await compared()).toEqual([]);
  });

  test('An invalid live value is left out with its reason, and all other values are updated.', async () => {
    const elm = client('elm').replace('  title: elm', '  title: elm\n  links: [https://a.example]');
    await project.write('agents/elm.yaml', elm);
    await project.edit('shared/dentist.yaml', 'settings:\n', 'settings:\n  agentLang: es-ES\n  timezone: UTC\n');
    await applied();
    await live({ agentLang: 'tlh', timezone: 'Europe/Vienna', title: 'Elm Street', links: ['no link'] });
    await live({ title: 'Oak Avenue' }, 'oak');
    const { code, stdout } = await project.run('update', '*');
    expect(code).toBe(3);
    const [elmText = '', oakText] = flat(stdout).split('Agent/oak');
    expect(elmText).toMatch(/settings\.links: the manifests would have an error in the environment test: .*'no link'/);
    expect(elmText).toMatch(
      /not updated: settings\.agentLang: the manifests would have an error .*'tlh'.* \(agents\/elm\.yaml\)/,
    );
    expect(oakText).not.toContain('not updated');
    expect(await project.read('agents/elm.yaml')).toBe(
      elm.replace('title: elm', 'title: Elm Street').replace('example]', 'example]\n  timezone: Europe/Vienna'),
    );
    expect(await project.read('agents/oak.yaml')).toBe(client('oak').replace('title: oak', 'title: Oak Avenue'));
    expect((await compared()).sort()).toEqual(['elm settings.agentLang drift', 'elm settings.links drift']);
  });

  test('A text with half a surrogate pair is refused, because no file can contain it.', async () => {
    await live({ publicInstructions: 'one\nand half of \udc00.' });
    const { code, stdout } = await update();
    expect(code).toBe(3);
    expect(flat(stdout)).toMatch(/not updated: settings.publicInstructions: the manifests would have an error .*half/i);
    expect(await project.read('agents/elm.yaml')).toBe(client('elm'));
    expect((await project.run('drift')).stdout).not.toContain('agentform update');
  });

  test('Update --to writes an edit of one agent into the shared text, and names the other agents.', async () => {
    await live({ agentInstructions: spoken.replace('Be nice.', 'Be kind.') });
    const { code, stdout } = await update('--to', 'shared/dentist.md', '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain('Agent/oak in test: settings.agentInstructions');
    expect(await project.read('shared/dentist.md')).toBe(prompt.replace('Be nice.', 'Be kind.'));
    expect((await update('--to', 'shared/nothing.md')).stderr).toContain('no manifest uses the file shared/nothing.md');
  });
});

test('Two agents with different edits under one base are updated together.', async () => {
  await live({ agentInstructions: parking });
  await live({ agentInstructions: spoken.replace('Be nice.', 'Be brief.'), agentVoice: 'oak-1' }, 'oak');
  expect(await project.run('update', '*')).toMatchObject({ code: 0, stderr: '' });
  expect(await compared()).toEqual([]);
  expect(await project.read('agents/oak.yaml')).toContain('agentVoice: oak-1');
});

test('Drift --branch also commits the new files.', async () => {
  await git(project.root, 'init', '-q', '-b', 'main');
  await git(project.root, 'add', '.');
  await git(project.root, 'commit', '-q', '-m', 'first');
  await live({ agentInstructions: parking });
  expect(await project.run('drift', '--branch', 'drift')).toMatchObject({ code: 0 });
  expect(await git(project.root, 'diff', '--name-status', 'main', 'drift')).toBe(
    'A\tagents/elm.agent-instructions.patch\nM\tagents/elm.yaml',
  );
  expect(await git(project.root, 'status', '--porcelain')).toBe('');
});

test('Drift --branch and the plan leave out only the setting with an invalid live value.', async () => {
  await git(project.root, 'init', '-q', '-b', 'main');
  await git(project.root, 'add', '.');
  await git(project.root, 'commit', '-q', '-m', 'first');
  await live({ publicInstructions: 'one\nand half of \udc00.', title: 'Elm Street' });
  const { resources } = JSON.parse((await project.run('plan', 'elm', '--format', 'json')).stdout);
  const edits = resources[0].changes.filter(({ cause }: { cause: string }) => cause === 'drift');
  const refused = edits.filter(({ updateRefusal }: { updateRefusal?: object }) => updateRefusal !== undefined);
  expect([edits.length, refused.map(({ path }: { path: string }) => path)]).toEqual([
    2,
    ['settings.publicInstructions'],
  ]);
  const { stderr } = await project.run('drift', '--branch', 'drift');
  expect(flat(stderr)).toMatch(
    /Agent\/elm: not updated: settings.publicInstructions: the manifests would have an error/,
  );
  expect(stderr).not.toContain('settings.title');
  expect(await git(project.root, 'show', 'drift:agents/elm.yaml')).toContain('title: Elm Street');
});
