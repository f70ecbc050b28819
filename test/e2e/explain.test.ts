import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { agentManifest, projectFile, type Remote, startRemote } from '../support/remote.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const secret = 'topsecret-value';

const files = (baseUrl: string) => ({
  'agentform.yaml': projectFile(baseUrl, '    variables: { clinic: Elm Street }\n'),
  'shared/base.yaml': 'apiVersion: agentform/v1\nkind: Agent\nsettings:\n  agentVoice: warm-1\n  timezone: UTC\n',
  'prompts/p.md': 'You work at ${var.clinic}.\n',
  'agents/front-desk.yaml': agentManifest(
    'front-desk',
    `extends: ../shared/base.yaml
settings:
  title: Front desk
  description: Answers
  welcomeMessage: "Code \${secret.CODE}"
  agentInstructions: { file: ../prompts/p.md }
  links: [https://a.example, https://b.example]
  waitOnAnswer: 300
skills:
  - { slug: calendar, instructions: Offer two times. }
environments:
  test: { settings: { agentVoice: warm-2 } }
`,
  ),
});

let remote: Remote;
let project: TestProject;

beforeAll(async () => {
  remote = await startRemote();
});
afterAll(() => remote.close());
beforeEach(async () => {
  project = await testProject(files(remote.baseUrl), { AGENT_TOKEN: `tok-${Math.random()}`, CODE: secret });
});
afterEach(() => project.remove());

async function applied(): Promise<string> {
  await project.run('apply', '--yes', '--new', 'all');
  const record = JSON.parse(await project.read('.agentform/records/test/Agent/front-desk.json'));
  return record.id;
}

async function explained(path: string) {
  const { stdout, stderr, code } = await project.run('explain', 'front-desk', path, '--format', 'json');
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

async function text(path: string): Promise<string> {
  const { stdout, stderr } = await project.run('explain', 'front-desk', path);
  return (stdout || stderr).replace(/\s+/g, ' ').trim();
}

describe('explain', () => {
  test('Before the first apply, explain reports that nothing was read.', async () => {
    expect(await text('settings.title')).toMatch(
      /live unknown: nothing was read .*plan set settings.title: from the manifest, not compared The resource does not exist yet\. An apply creates it/,
    );
  });

  test('Explain shows the wanted, live and last applied values, and the place that wins over others.', async () => {
    await applied();
    const { fields, resource, touched } = await explained('settings.agentVoice');
    expect(resource).toMatchObject({ kind: 'Agent', name: 'front-desk', action: 'none' });
    expect(touched).toBe(false);
    expect(fields).toMatchObject([
      {
        path: 'settings.agentVoice',
        managed: true,
        readable: true,
        desired: 'warm-2',
        live: 'warm-2',
        lastApplied: 'warm-2',
        equal: true,
        rules: [],
        source: {
          files: ['agents/front-desk.yaml', 'shared/base.yaml'],
          declarations: [
            { file: 'agents/front-desk.yaml', environment: 'test', at: { line: 15 }, written: 'warm-2' },
            { file: 'shared/base.yaml', at: { line: 4 }, written: 'warm-1' },
          ],
        },
      },
    ]);
    expect(await text('settings.agentVoice')).toContain(
      'declared in agents/front-desk.yaml:15:23 (overlay of test) live "warm-2"'.replace(
        ' live',
        ' overridden shared/base.yaml:4:3 (a base, extended by agents/front-desk.yaml): "warm-1" live',
      ),
    );
  });

  test('Explain names the file and the variables of an included text, and the rule that made it equal.', async () => {
    const id = await applied();
    await remote.dashboard(id, { agentInstructions: 'You work at Elm Street.' });
    const { fields, touched } = await explained('settings.agentInstructions');
    expect(touched).toBe(true);
    expect(fields).toMatchObject([
      {
        equal: true,
        rules: [],
        source: { include: 'prompts/p.md', variables: [{ name: 'clinic', text: 'Elm Street' }] },
      },
    ]);
  });

  test('Explain gives the reason for every cause.', async () => {
    const id = await applied();
    await remote.dashboard(id, { title: 'Moved', timezone: 'Europe/Berlin', links: ['https://c.example'] });
    await project.edit('shared/base.yaml', 'timezone: UTC', 'timezone: Europe/Rome');
    await project.edit('agents/front-desk.yaml', 'Offer two', 'Offer three');
    expect(await text('settings.title')).toMatch(
      /edited in the dashboard This field was changed on the service\. The manifest still has the last applied value/,
    );
    expect(await text('settings.timezone')).toContain(
      'To keep the dashboard edit and replace the value in the files, run `agentform update front-desk --field settings.timezone -e test`.',
    );
    expect(await text('skills[calendar]')).toMatch(/from the manifest The manifest changed since the last apply/);
    expect(await text('settings.waitOnAnswer')).toMatch(
      /possibly edited in the dashboard, not compared This field cannot be read back\. It may have been edited/,
    );
    expect(await text('settings.links')).toMatch(
      /different even under the rules line-ends, trailing-space, list-order/,
    );
  });

  test('Explain shows the value in the manifest and the reason for a setting that a person keeps.', async () => {
    const id = await applied();
    await remote.dashboard(id, { title: 'Moved' });
    const answers = ['drift=keep', 'write-only=send-again'].flatMap((one) => ['--answer', `Agent/front-desk/${one}`]);
    expect(await project.run('apply', '--yes', ...answers)).toMatchObject({ code: 0 });
    const { fields } = await explained('settings.title');
    expect(fields).toMatchObject([{ live: 'Moved', equal: false, kept: { code: 'settings-kept' } }]);
    expect(fields[0].desired).toBe(fields[0].source.declarations[0].written);
    expect(await text('settings.title')).toMatch(
      /settings\.title stays as it is in the dashboard .* run `agentform unhold Agent\/front-desk -e test`\./,
    );
  });

  test('Explain shows all fields of a section.', async () => {
    await applied();
    const { fields } = await explained('settings');
    expect(fields.map(({ path }: { path: string }) => path)).toHaveLength(8);
  });

  test('Explain reports an undeclared field as not managed.', async () => {
    const id = await applied();
    await remote.dashboard(id, { publicInstructions: `Say ${secret}` });
    expect(await text('settings.publicInstructions')).toMatch(
      /desired not managed live "\(sensitive\)".* Not managed:/,
    );
    const gone = await text('settings.agentSttEngine');
    expect(gone).toContain('live cannot be read back Not managed');
  });

  test('Explain counts the unmanaged settings, and names them with --verbose, as drift does.', async () => {
    const id = await applied();
    await remote.dashboard(id, { publicInstructions: `Say ${secret}`, agentLang: 'de-DE' });
    const counts = '2 settings of Agent/front-desk on the service are not managed; use --verbose to list them';
    expect(await text('settings.title')).toContain(counts);
    expect((await explained('settings.title')).unmanaged.toSorted()).toEqual([
      'settings.agentLang',
      'settings.publicInstructions',
    ]);
    for (const command of [['explain', 'front-desk', 'settings.title'], ['drift']]) {
      const { stdout } = await project.run(...command, '--verbose');
      expect(stdout).toMatch(
        /2 settings of Agent\/front-desk on the service are not managed: settings\.\w+, settings\.\w+\n/,
      );
    }
    expect((await project.run('drift')).stdout).toContain(
      '2 settings on the service are not managed; use --verbose to list',
    );
    expect(await project.run('plan', '--verbose')).toMatchObject({
      stderr: expect.stringContaining('has no option --verbose'),
    });
  });

  test('Explain shows no secret on any side.', async () => {
    const id = await applied();
    await remote.dashboard(id, { welcomeMessage: `New ${secret}` });
    for (const format of ['text', 'json']) {
      const { stdout } = await project.run('explain', 'front-desk', 'settings', '--format', format);
      expect(stdout).toContain(format === 'json' ? '${secret.CODE}' : '(sensitive)');
      expect(stdout).not.toContain(secret);
    }
  });

  test.each([
    ['titel', "did you mean 'settings.title'?"],
    ['agentVoic', "did you mean 'settings.agentVoice'?"],
    ['settings.foo', 'has no field "settings.foo"; write the path as in a plan, such as settings.title'],
    ['backgroundAudio.pan', "did you mean 'backgroundAudio'?"],
    ['title', "did you mean 'settings.title'?"],
    ['settings.titel', "did you mean 'settings.title'?"],
    ['skills[calender].instructions', "did you mean 'skills[calendar].instructions'?"],
    ['skills[calender]', "did you mean 'skills[calendar]'?"],
    ['transferrules', "did you mean 'transferRules'?"],
    ['settings.skills', "did you mean 'skills'?"],
    ['backgroundAudio.gian', "did you mean 'backgroundAudio.gain'?"],
    ['settings.title.more', "did you mean 'settings.title'?"],
    ['settings."\\q"', 'has no field'],
  ])('Explain refuses the path %j and suggests the right one.', async (path, message) => {
    const { stderr, code } = await project.run('explain', 'front-desk', path);
    expect(stderr).toContain(message);
    expect(stderr).toContain('(field-unknown)');
    expect(code).toBe(1);
  });

  test('Explain refuses more than one resource.', async () => {
    await project.write(
      'agents/b.yaml',
      agentManifest('b', 'target: { query: { a: b } }\nsettings: { title: B, description: b }\n'),
    );
    const { stderr, code } = await project.run('explain', '*', 'settings.title');
    expect([code, stderr]).toEqual([
      1,
      'error: explain accepts one resource, but * selects Agent/b and Agent/front-desk (usage)\n',
    ]);
  });

  test('Explain of a setting lists the texts that it may have.', async () => {
    const { stdout, code } = await project.run('explain', 'Agent', 'settings.agentLang');
    expect({ stdout, code }).toMatchObject({
      stdout: expect.stringContaining('string (en-US, multi, es-MX, es-ES or es-US), default "en-US"'),
      code: 0,
    });
  });

  test('Explain of a list shows the properties of its elements.', async () => {
    const { stdout } = await project.run('explain', 'Organization', 'settings.numberingProviders');
    expect(stdout).toContain(
      'settings.numberingProviders[].config  credentials\n    object, required, cannot be read back\n',
    );
    expect(stdout).toContain('settings.numberingProviders[].default  use by default\n    boolean, no default');
  });

  test('Explain reports a failed read.', async () => {
    await applied();
    await remote.faults(['success-false:operation=getAgent']);
    const answer = await text('settings.title');
    await remote.faults([]);
    expect(answer).toMatch(
      /200 with "success": false.*live unknown: the read failed .*Agent\/front-desk could not be read, so/,
    );
  });
});
