import { lstat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { agentManifest, type Remote, startSaveableRemote } from '../support/remote.ts';
import { savedState } from '../support/saved-state.ts';
import { shareProcess } from '../support/shared-process.ts';
import { updatesIn } from '../support/update-json.ts';

shareProcess();

const secret = 'topsecret-value';

function projectFile(baseUrl: string): string {
  return `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
defaultEnvironment: test
environments:
  test: { baseUrl: "${baseUrl}", token: "\${secret.AGENT_TOKEN}", variables: { clinic: Elm Street } }
`;
}

const base = `apiVersion: agentform/v1
kind: Agent
# for all
settings:
  agentVoice: warm-1   # the voice
  agentLang: es-ES
  timezone: UTC
`;

const manifest = agentManifest(
  'front-desk',
  `extends: ../shared/base.yaml
settings:
  title: Front desk   # as on the sign
  description: Answers

  welcomeMessage: "Hello from \${var.clinic}"
  agentInstructions: { file: ../prompts/p.md }
  publicInstructions: Code \${secret.CODE}
  adminInstructions: |   # in lines
    one
    two
  agentThinking: low
  links:
    - https://a.example   # first
    - https://b.example
skills:
  - slug: calendar
    instructions: Offer two times.   # never more
  - { slug: old, instructions: Gone soon. }
environments:
  test: { settings: { agentModel: standard-2 } }
`,
);

const files = (baseUrl: string) => ({
  'agentform.yaml': projectFile(baseUrl),
  'shared/base.yaml': base,
  'prompts/p.md': '# Work at ${var.clinic}\r\n\r\nBe nice.\r\n',
  'agents/front-desk.yaml': manifest,
});

let remote: Remote;
let project: TestProject;
let startOver: () => Promise<void>;
let startApplied: () => Promise<void>;

beforeAll(async () => {
  remote = await startSaveableRemote();
  project = await testProject(files(remote.baseUrl), {
    AGENT_TOKEN: 'tok-of-desk',
    CODE: secret,
    NIGHT_TOKEN: 'tok-of-night',
  });
  startOver = await savedState(remote, project.root);
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  startApplied = await savedState(remote, project.root);
});
beforeEach(() => startOver());
afterAll(async () => {
  await project.remove();
  await remote.close();
});

/** Edits the applied agent as in the dashboard. Replaces all files with the applied ones. */
async function edited(settings: Readonly<Record<string, unknown>>): Promise<void> {
  await startApplied();
  await edit(settings);
}

/** Applies the project, and then edits the agent as in the dashboard. */
async function moved(settings: Readonly<Record<string, unknown>>): Promise<void> {
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  await edit(settings);
}

async function edit(settings: Readonly<Record<string, unknown>>): Promise<void> {
  const record = JSON.parse(await project.read('.agentform/records/test/Agent/front-desk.json'));
  await remote.dashboard(record.id, settings);
}

const update = (...args: string[]) => project.run('update', 'front-desk', ...args);

/** The changes that the plan found by comparing values. */
async function compared(): Promise<string[]> {
  const { stdout } = await project.run('plan', '--format', 'json', 'front-desk');
  const [resource] = JSON.parse(stdout).resources;
  return resource.changes
    .filter(({ knowledge }: { knowledge: string }) => knowledge === 'compared')
    .map(({ path, cause }: { path: string; cause: string }) => `${path} ${cause}`);
}

/** Returns the manifest after these replacements. */
function withEdits(text: string, ...edits: [string, string][]): string {
  return edits.reduce((all, [from, to]) => {
    if (!all.includes(from)) throw new Error(`no ${from}`);
    return all.replace(from, () => to);
  }, text);
}

describe('update', () => {
  test('Update empties a list below comments, and names the line of one that cannot be edited.', async () => {
    const lists = (anchor: string) =>
      `  links:${anchor}   # shown: all\n  # first\n  - https://a.example\n  - https://b.example\n`;
    const [head, tail] = manifest.split(/ {2}links:\n(?:.*\n){2}/) as [string, string];
    await project.write('agents/front-desk.yaml', head + lists('') + tail);
    await moved({ links: [] });
    expect(await update()).toMatchObject({ code: 0 });
    expect(await project.read('agents/front-desk.yaml')).toBe(`${head}  links: []   # shown: all\n  # first\n${tail}`);

    await project.write('agents/front-desk.yaml', head + lists(' &all') + tail);
    const { code, stdout } = await update();
    expect(code).toBe(3);
    const line = head.split('\n').length;
    expect(stdout).toContain(`not updated: settings.links: agents/front-desk.yaml:${line} is written in a way`);
    expect(await project.read('agents/front-desk.yaml')).toBe(head + lists(' &all') + tail);
  });

  test('Update writes edits where the settings are declared, and leaves the rest of the files unchanged.', async () => {
    await edited({
      title: 'Reception',
      welcomeMessage: 'Welcome to Elm Street!',
      agentInstructions: '# Work at Elm Street\n\nBe very nice.',
      adminInstructions: 'one\nthree: 3',
      agentModel: 'standard-3',
      agentThinking: null,
      links: ['https://b.example', 'https://c.example'],
      skills: [
        { slug: 'calendar', instructions: 'Offer: three.' },
        { slug: 'billing', instructions: 'Say ${var.x}.' },
      ],
    });
    const { stdout, stderr, code } = await update();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/Updated 10 values from test in agents\/front-desk.yaml and prompts\/p.md\.\n$/);
    expect(await project.read('agents/front-desk.yaml')).toBe(
      withEdits(
        manifest,
        ['Front desk ', 'Reception '],
        ['Hello from ${var.clinic}', 'Welcome to Elm Street!'],
        ['    two', '    three: 3'],
        ['standard-2', 'standard-3'],
        ['agentThinking: low', 'agentThinking: null'],
        ['    - https://a.example   # first\n', ''],
        ['    - https://b.example\n', '    - https://b.example\n    - https://c.example\n'],
        ['Offer two times.', '"Offer: three."'],
        ['{ slug: old, instructions: Gone soon. }', 'slug: billing\n    instructions: Say $${var.x}.'],
      ),
    );
    expect(await project.read('prompts/p.md')).toBe('# Work at ${var.clinic}\r\n\r\nBe very nice.\r\n');
    expect(await project.read('shared/base.yaml')).toBe(base);
    expect(await compared()).toEqual([]);
    expect((await update()).stdout).toBe('Nothing was updated from test.\n');
  });

  test('Update --to edits a base in place, after a question that names the other resources.', async () => {
    await project.write(
      'agents/night.yaml',
      agentManifest(
        'night',
        'extends: ../shared/base.yaml\nsettings: { title: N, description: n }\ntarget: { token: "${secret.NIGHT_TOKEN}" }\n',
      ),
    );
    await moved({ agentVoice: 'warm-2', title: 'Reception' });
    const to = ['--to', 'shared/base.yaml'];
    const { code, stderr } = await update(...to);
    expect(stderr).toBe(
      'error: nothing was written: settings.agentVoice of Agent/night in test would also change, and there is no terminal to confirm this. To see the changes, add --dry-run. To write the files, add --yes (declined)\n',
    );
    expect(code).toBe(3);
    expect(await project.read('shared/base.yaml')).toBe(base);
    expect(await project.read('agents/front-desk.yaml')).toBe(manifest);
    const dry = await update(...to, '--dry-run', '--format', 'json');
    expect(updatesIn(dry.stdout)).toMatchObject({
      alsoChanged: [{ address: 'Agent/night', environment: 'test', paths: ['settings.agentVoice'] }],
      files: ['agents/front-desk.yaml', 'shared/base.yaml'],
      resources: [{ updated: [{ path: 'settings.title', from: 'Front desk', to: 'Reception' }, { to: 'warm-2' }] }],
    });
    expect(await project.read('shared/base.yaml')).toBe(base);
    const written = await update(...to, '--yes');
    expect(written.stdout).toMatch(
      /declared in the same place and change too:\n {4}Agent\/night in test: settings.agentVoice\n/,
    );
    expect(await project.read('shared/base.yaml')).toBe(base.replace('warm-1', 'warm-2'));
    expect(await compared()).toEqual([]);
  });

  test('Update turns a missing live value into null, the default, an empty value or no declaration.', async () => {
    await edited({
      title: null,
      adminInstructions: null,
      agentThinking: null,
      agentLang: null,
      links: null,
      skills: null,
      timezone: null,
    });
    expect(await update()).toMatchObject({ code: 0 });
    const text = await project.read('agents/front-desk.yaml');
    expect(text).toContain('  title: ""   # as on the sign\n');
    expect(text).toContain('  adminInstructions: ""   # in lines\n  agentThinking: null\n');
    expect(text).toContain('  links: []\n');
    expect(text).toContain('skills: []\n');
    expect(await project.read('shared/base.yaml')).toBe(withEdits(base, ['es-ES', 'en-US'], ['  timezone: UTC\n', '']));
    expect(await compared()).toEqual([]);
  });

  test('Update leaves a field that only the manifest changed, and decides a conflict with --theirs.', async () => {
    await edited({ title: 'Reception' });
    await project.edit('agents/front-desk.yaml', 'Front desk', 'Lobby');
    await project.edit('agents/front-desk.yaml', 'standard-2', 'standard-9');
    expect(await compared()).toEqual(['settings.title conflict', 'settings.agentModel manifest']);
    expect((await update('--theirs')).stdout).toContain(
      'skipped, because only the files changed: settings.agentModel; to copy the live value anyway, name a field with --field',
    );
    expect(await compared()).toEqual(['settings.agentModel manifest']);
    expect(await update('--field', 'settings.agentModel')).toMatchObject({ code: 0 });
    expect(await compared()).toEqual([]);
  });

  test('Update names a file that is no longer used, but not one that another environment uses.', async () => {
    await project.edit('agents/front-desk.yaml', 'Gone soon.', '{ file: ../prompts/old.md }');
    await project.write('prompts/old.md', 'Gone soon.\n');
    await moved({ skills: [{ slug: 'calendar', instructions: 'Offer two times.' }] });
    const { stdout } = await update('--dry-run', '--format', 'json');
    expect(updatesIn(stdout)).toMatchObject({ files: ['agents/front-desk.yaml'], unused: ['prompts/old.md'] });
    await project.edit(
      'agentform.yaml',
      'environments:\n',
      'environments:\n  other: { baseUrl: emulator, variables: { clinic: Oak } }\n',
    );
    const used = 'environments:\n  other: { settings: { welcomeMessage: { file: ../prompts/old.md } } }\n';
    await project.edit('agents/front-desk.yaml', 'environments:\n', used);
    expect(updatesIn((await update('--dry-run', '--format', 'json')).stdout)).not.toHaveProperty('unused');
    await project.edit('agents/front-desk.yaml', used, 'environments:\n');
    expect((await update('--yes')).stdout).toContain(
      'Nothing uses the file prompts/old.md any more; delete it if you do not need it.\n\nUpdated 1 value',
    );
    expect(await project.read('prompts/old.md')).toBe('Gone soon.\n');
  });

  test('Update --field only updates the named fields.', async () => {
    await edited({ title: 'Reception', agentModel: 'standard-3', skills: [{ slug: 'calendar', instructions: 'New' }] });
    await update('--field', 'settings.title', '--field', 'skills[calendar].instructions');
    expect(await compared()).toEqual(['settings.agentModel drift', 'skills[old] drift']);
    await update('--field', 'skills');
    expect(await compared()).toEqual(['settings.agentModel drift']);
  });

  test('Update --field restores a setting that the manifest no longer declares.', async () => {
    await edited({ title: 'Reception', skills: [{ slug: 'calendar', instructions: 'a\nb' }] });
    await project.write(
      'agents/front-desk.yaml',
      manifest.replace(/skills:[\s\S]*?environments/, 'environments').replace(/ {2}agentThinking: low\n/, ''),
    );
    expect(await compared()).toEqual([
      'settings.title drift',
      'settings.agentThinking manifest',
      'skills[calendar] conflict',
    ]);
    await update('--field', 'skills', '--field', 'settings.agentThinking');
    const text = await project.read('agents/front-desk.yaml');
    expect(text).toContain('    - https://b.example\n  agentThinking: low\nenvironments');
    expect(text.endsWith('skills:\n  - slug: calendar\n    instructions: |-\n      a\n      b\n')).toBe(true);
    expect(await compared()).toEqual(['settings.title drift']);
  });

  test('Update writes an edited line as it is on the service, and names the variables that it had.', async () => {
    await edited({ welcomeMessage: 'Hello from Oak Road, ${var.clinic}' });
    const { stdout, code } = await update();
    expect(code).toBe(0);
    expect(stdout).toContain('      settings.welcomeMessage no longer uses ${var.clinic}\n');
    expect(await project.read('agents/front-desk.yaml')).toBe(
      withEdits(manifest, ['Hello from ${var.clinic}', 'Hello from Oak Road, $${var.clinic}']),
    );
    expect(await compared()).toEqual([]);
  });

  test('Update never writes a secret from a manifest or from a live text.', async () => {
    await edited({
      publicInstructions: 'Code 1',
      title: `Say ${secret}`,
      skills: [{ slug: 'x', instructions: secret }],
    });
    const { stdout, stderr, code } = await update('--format', 'json');
    expect(code).toBe(3);
    expect(stdout + stderr).not.toContain(secret);
    expect(updatesIn(stdout).resources[0]?.refused.map(({ path }) => path)).toEqual([
      'settings.title',
      'settings.publicInstructions',
      'skills[x]',
    ]);
    const text = await project.read('agents/front-desk.yaml');
    expect(text).not.toContain(secret);
    expect(text).toContain('Code ${secret.CODE}');
    expect(await update('--field', 'settings.title')).toMatchObject({ code: 3 });
    expect(await project.read('agents/front-desk.yaml')).toBe(text);
  });

  test('Update keeps a byte order mark, line ends, the file mode and a link.', async () => {
    const crlf = `\ufeff${manifest.replaceAll('\n', '\r\n')}`;
    await project.write('shared/desk.yaml', '');
    await writeFile(join(project.root, 'real.yaml'), crlf, { mode: 0o640 });
    await project.run('validate');
    await moved({});
    const link = join(project.root, 'agents/front-desk.yaml');
    const { rm } = await import('node:fs/promises');
    await rm(link);
    await symlink('../real.yaml', link);
    const record = JSON.parse(await project.read('.agentform/records/test/Agent/front-desk.json'));
    await remote.dashboard(record.id, { adminInstructions: 'one\nthree', title: 'New' });
    expect(await update()).toMatchObject({ code: 0, stderr: '' });
    expect(await project.read('real.yaml')).toBe(withEdits(crlf, ['    two', '    three'], ['Front desk ', 'New ']));
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await lstat(join(project.root, 'real.yaml'))).mode & 0o777).toBe(0o640);
  });

  test('Update refuses unknown fields and options, and fields without a value to copy.', async () => {
    await edited({});
    for (const [args, message, exit] of [
      [
        ['--field', 'settings.titel'],
        'has no field "settings.titel"; did you mean \'settings.title\'? (field-unknown)',
        1,
      ],
      [['--force'], 'agentform update has no option --force; see agentform update --help', 1],
      [
        ['--field', 'settings.agentSttEngine'],
        'not updated: settings.agentSttEngine: no manifest declares it, so it is not managed; declare it first',
        3,
      ],
      [['--field', 'settings'], 'Nothing was updated from test', 0],
      [['--field', 'settings.description'], 'not updated: settings.description: the service does not show it', 3],
    ] as const) {
      const { stdout, stderr, code } = await update(...args);
      expect(stdout + stderr).toContain(message);
      expect(code).toBe(exit);
    }
  });

  test('Update changes nothing if the agent could not be read.', async () => {
    expect((await update()).stdout).toContain('not updated: no agent id is known, so nothing could be read');
    await startApplied();
    await remote.faults(['server-error:operation=getAgent,retryAfter=3600']);
    const failed = await update();
    await remote.faults([]);
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.stdout).toMatch(/not updated: .*500/);
    expect(await project.run('update', 'nobody')).toMatchObject({ code: 1 });
  });
});

test('Update needs a name, and import has no option --update.', async () => {
  expect(await project.run('update')).toMatchObject({
    code: 1,
    stderr: "error: name the resources, as in `agentform update front-desk`, or '*' for all (usage)\n",
  });
  expect(await project.run('import', '--update', 'front-desk')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('agentform import has no option --update; see agentform import --help (usage)'),
  });
});

describe('one place in a file for several values', () => {
  test('An alias becomes a separate value, and an edited anchor changes its aliases.', async () => {
    const text = agentManifest(
      'front-desk',
      'settings:\n  title: &t Front desk\n  description: d\n  welcomeMessage: *t\n  adminInstructions: *t\n',
    );
    await project.write('agents/front-desk.yaml', text);
    await moved({ adminInstructions: 'Mine' });
    expect(await update()).toMatchObject({ code: 0 });
    expect(await project.read('agents/front-desk.yaml')).toBe(
      text.replace('adminInstructions: *t', 'adminInstructions: Mine'),
    );
    const record = JSON.parse(await project.read('.agentform/records/test/Agent/front-desk.json'));
    await remote.dashboard(record.id, { title: 'Reception' });
    expect((await update()).stderr).toContain('settings.welcomeMessage of Agent/front-desk in test would also change');
    await update('--yes');
    expect(await project.read('agents/front-desk.yaml')).toContain('title: &t Reception\n');
    expect(await compared()).toEqual(['settings.welcomeMessage manifest']);
  });

  test('Two agents with different edits of one base value are updated one at a time.', async () => {
    await project.write(
      'agents/night.yaml',
      agentManifest(
        'night',
        'extends: ../shared/base.yaml\nsettings: { title: N, description: n }\ntarget: { token: "${secret.NIGHT_TOKEN}" }\n',
      ),
    );
    await moved({ agentVoice: 'one' });
    const record = JSON.parse(await project.read('.agentform/records/test/Agent/night.json'));
    await remote.dashboard(record.id, { agentVoice: 'two' });
    const both = await project.run('update', 'front-desk', 'night', '--yes', '--to', 'shared/base.yaml');
    expect(both.stderr).toContain(
      'nothing was written: settings.agentVoice of Agent/front-desk and settings.agentVoice of Agent/night have ' +
        'different live values, but share a declaration in shared/base.yaml:5; to choose one of them, run ' +
        '`agentform update Agent/front-desk -e test --field settings.agentVoice --to shared/base.yaml` or ' +
        '`agentform update Agent/night -e test --field settings.agentVoice --to shared/base.yaml`',
    );
    expect(both.code).toBe(3);
    expect(await project.read('shared/base.yaml')).toBe(base);
    await remote.dashboard(record.id, { agentVoice: 'one' });
    expect(await project.run('update', '*', '--to', 'shared/base.yaml')).toMatchObject({ code: 0 });
    expect(await project.read('shared/base.yaml')).toBe(base.replace('warm-1', 'one'));
  });

  test('An element that base and manifest both declare is removed from both.', async () => {
    await project.write('shared/base.yaml', `${base}skills: [{ slug: calendar, instructions: Base }]\n`);
    await moved({ skills: [{ slug: 'old', instructions: 'Gone soon.' }] });
    expect(await update()).toMatchObject({ code: 0 });
    expect(await project.read('shared/base.yaml')).toBe(`${base}skills: []\n`);
    expect(await project.read('agents/front-desk.yaml')).not.toContain('calendar');
    expect(await compared()).toEqual([]);
  });

  test('An extra setting of any form can be updated.', async () => {
    await project.write('agents/front-desk.yaml', `${manifest}extraSettings:\n  agentVoice: v   # n\n  links: [a]\n`);
    await moved({ agentVoice: 'w', links: ['b'] });
    expect(await update()).toMatchObject({ code: 0 });
    expect(await project.read('agents/front-desk.yaml')).toBe(
      `${manifest}extraSettings:\n  agentVoice: w   # n\n  links: [b]\n`,
    );
  });
});
