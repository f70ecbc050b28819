import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ResourcePlan } from '../../src/schemas/plan-types.ts';
import { exampleProject, type TestProject } from '../support/cli.ts';
import { type Told, told } from '../support/notices.ts';
import { type Remote, startSaveableRemote } from '../support/remote.ts';
import { savedState } from '../support/saved-state.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const credential = 'tw/9f+secret value';

let remote: Remote;
let project: TestProject;
let startOver: () => Promise<void>;
let startApplied: () => Promise<void>;

beforeAll(async () => {
  remote = await startSaveableRemote();
  project = await exampleProject('reseller', { RESELLER_TOKEN: 'tok-of-the-reseller', PROVIDER_KEY: credential });
  await project.edit(
    'agentform.yaml',
    'baseUrl: emulator',
    `baseUrl: ${remote.baseUrl}\n    token: \${secret.RESELLER_TOKEN}`,
  );
  startOver = await savedState(remote, project.root);
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  startApplied = await savedState(remote, project.root);
});
beforeEach(() => startOver());
afterAll(async () => {
  await project.remove();
  await remote.close();
});

const operations = async () =>
  (await remote.requests()).map(({ operation }) => operation).filter((name) => name !== 'getAgent');

async function plan(...args: string[]) {
  const { stdout, stderr } = await project.run('plan', '--format', 'json', ...args);
  if (!stdout.startsWith('{')) throw new Error(stderr);
  return JSON.parse(stdout);
}

describe('the declared kinds', () => {
  test('The declared kinds are applied in order, in the account of a new organization, and then the plan is empty.', async () => {
    const first = await project.run('plan');
    expect(first.stdout).toContain('targetAccountId=(known after apply)');
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    const sent = await operations();
    expect(sent[0]).toBe('createOrganization');
    expect(sent.slice(1, 3)).toEqual(['inviteMember', 'inviteMember']);
    expect([...sent].sort()).toEqual(
      [
        'addContext',
        'addContext',
        'assignPhoneNumber',
        'createOrganization',
        'inviteMember',
        'inviteMember',
        'setAgentUrl',
        'updateAgent',
        'updateAgent',
      ].sort(),
    );
    const records = await project.recordTexts();
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(await operations()).toEqual([]);
    expect(await project.recordTexts()).toEqual(records);
  });

  test('The declared kinds are only resent if they changed.', async () => {
    await startApplied();
    await project.edit('contexts/regular.yaml', 'mornings', 'evenings');
    await project.edit('urls/demo.yaml', 'try-it', 'try-me');
    expect((await plan()).summary).toMatchObject({ update: 2, unchanged: 7 });
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect((await operations()).sort()).toEqual(['addContext', 'setAgentUrl']);
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
  });

  test('The declared kinds are blocked if the service cannot change them, until their record is adopted.', async () => {
    await startApplied();
    await project.edit('organizations/acme.yaml', 'Acme Plumbing', 'Acme Pipes');
    await project.edit('members/bookkeeper.yaml', 'viewer', 'admin');
    const { resources } = await plan();
    const blocked = resources.filter(({ action }: { action: string }) => action === 'blocked');
    expect(blocked.map(({ name }: { name: string }) => name)).toEqual(['bookkeeper', 'acme']);
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 3 });
    expect(await operations()).toEqual([]);
    expect(await project.run('record', 'adopt', 'Organization/acme')).toMatchObject({ code: 0 });
    expect(await project.run('record', 'adopt', 'Member/bookkeeper')).toMatchObject({ code: 0 });
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
  });

  test.each([[[]], [['Agent/*']]])(
    'An edited record of an organization sends nothing to the account that it names: plan %j.',
    async (names) => {
      await startApplied();
      await remote.requests();
      await project.edit('.agentform/records/local/Organization/acme.json', /"id": "[^"]+"/, '"id": "account-of-eve"');
      const { resources } = await plan(...names);
      const agents = resources.filter(({ kind }: { kind: string }) => kind === 'Agent');
      expect(agents).toMatchObject([{ action: 'none' }, { action: 'blocked' }]);
      expect(await remote.requests()).toHaveLength(1);
    },
  );

  test('The remedies of declared kinds name an environment that is not the default.', async () => {
    await project.edit('agentform.yaml', 'defaultEnvironment: local', 'defaultEnvironment: production');
    await project.run('apply', '--yes', '--new', 'all', '-e', 'local');
    await project.edit('organizations/acme.yaml', 'Acme Plumbing', 'Acme Pipes');
    const { stdout } = await project.run('plan', '-e', 'local');
    const [, advice = ''] = stdout.replaceAll(/\s+/g, ' ').match(/`agentform (record adopt [^`]+)`/) ?? [];
    expect(await project.run(...advice.split(' '))).toMatchObject({ code: 0, stderr: '' });
    expect(await project.run('plan', '--exit-code', '-e', 'local')).toMatchObject({ code: 0 });
  });
});

describe('lost answers of the declared kinds', () => {
  test('A lost answer to an invitation is never followed by a second invitation.', async () => {
    await remote.faults(['reset-after-write:operation=inviteMember,times=1']);
    expect(await project.run('apply', '--yes', '--new', 'all', '--concurrency', '1')).toMatchObject({ code: 1 });
    expect((await operations()).filter((name) => name === 'inviteMember')).toHaveLength(2);
    const blocked = await project.run('apply', '--yes', '--new', 'all');
    expect(blocked).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/record adopt Member\/(bookkeeper|dispatcher) -e local`/),
    });
    expect(await operations()).toEqual([]);
    const name = /record adopt (Member\/[a-z]+) -e local`/.exec(blocked.stdout)?.[1] ?? '';
    await project.run('record', 'adopt', name);
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
  });

  test('A lost answer to the creation of an organization leaves its dependents unattempted.', async () => {
    await remote.faults(['reset-after-write:operation=createOrganization,times=1']);
    const lost = await project.run('apply', '--yes', '--new', 'all', '--format', 'json');
    expect(lost.code).toBe(1);
    const { entries } = JSON.parse(lost.stdout);
    const outcomes = Object.fromEntries(
      entries.map(({ kind, name, outcome }: Record<string, string>) => [`${kind}/${name}`, outcome]),
    );
    expect(outcomes).toEqual({
      'Organization/acme': 'unknown',
      'Member/bookkeeper': 'not attempted',
      'Member/dispatcher': 'not attempted',
      'Agent/demo': 'applied',
      'Agent/front-desk': 'not attempted',
      'AgentUrl/demo': 'applied',
      'PhoneNumber/front-desk': 'not attempted',
      'Context/landlord': 'not attempted',
      'Context/regular': 'not attempted',
    });
    expect((await operations()).filter((name) => name === 'createOrganization')).toHaveLength(1);
  });

  test('A lost answer to a changed context blocks it, because repeating the write would add it twice.', async () => {
    await startApplied();
    await project.edit('contexts/regular.yaml', 'mornings', 'evenings');
    await operations();
    await remote.faults(['reset-after-write:operation=addContext,times=1']);
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 1 });
    const blocked = await project.run('apply', '--yes', '--new', 'all');
    expect(blocked).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('record adopt Context/regular -e local`'),
    });
    expect((await operations()).filter((name) => name === 'addContext')).toHaveLength(1);
    await project.run('record', 'adopt', 'Context/regular');
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
  });

  test('A lost answer to a repeatable write is followed by a second request.', async () => {
    await remote.faults(['reset-after-write:operation=setAgentUrl,times=1']);
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect((await operations()).filter((name) => name === 'setAgentUrl')).toHaveLength(2);
  });
});

describe('a renamed manifest of the declared kinds', () => {
  const reasons = async () => {
    const { resources } = await plan();
    const blocked = resources.filter(({ action }: { action: string }) => action === 'blocked');
    return Object.fromEntries(
      blocked.map(told).map(({ kind, name, reasons: [reason] }: Told<ResourcePlan>) => [`${kind}/${name}`, reason]),
    );
  };

  test('A renamed organization is not created a second time, and its dependents keep their account.', async () => {
    const provider = '  numberingProviders: [{ providerId: tel, config: { key: "${secret.PROVIDER_KEY}" } }]\n';
    await project.edit('organizations/acme.yaml', '  hipaaSetting', `${provider}  hipaaSetting`);
    await project.run('apply', '--yes', '--new', 'all');
    await operations();
    await project.edit('organizations/acme.yaml', 'name: acme', 'name: acme-ltd');
    const dependents = [
      'members/bookkeeper.yaml',
      'members/dispatcher.yaml',
      'agents/front-desk.yaml',
      'contexts/regular.yaml',
      'contexts/landlord.yaml',
    ];
    for (const path of dependents) await project.edit(path, 'organization: acme', 'organization: acme-ltd');
    const { 'Organization/acme-ltd': own, ...others } = await reasons();
    expect(own).toMatch(/run `agentform record rename Organization\/acme Organization\/acme-ltd -e local`$/);
    expect(Object.keys(others)).toHaveLength(6);
    for (const reason of Object.values(others)) {
      expect(reason).toBe('it depends on Organization/acme-ltd, which cannot be applied');
    }
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 3 });
    expect(await operations()).toEqual([]);
    const renamed = await project.run('record', 'rename', 'Organization/acme', 'Organization/acme-ltd');
    expect(renamed).toMatchObject({ code: 0, stderr: '' });
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(await operations()).toEqual([]);
  });

  test('A renamed member or context is not invited or added a second time.', async () => {
    await startApplied();
    await project.edit('members/dispatcher.yaml', 'name: dispatcher', 'name: dispatch');
    await project.edit('contexts/regular.yaml', 'name: regular', 'name: garden-tap');
    await project.edit('urls/demo.yaml', 'name: demo', 'name: try');
    const found = await reasons();
    expect(found).toEqual({
      'Member/dispatch': expect.stringMatching(/settings\.email.*rename Member\/dispatcher Member\/dispatch -e local`/),
      'Context/garden-tap': expect.stringMatching(
        /settings\.target, settings\.context.*rename Context\/regular Context\/garden-tap -e local`$/,
      ),
    });
    await project.edit('contexts/regular.yaml', 'mornings', 'evenings');
    expect(Object.keys(await reasons())).toEqual(['Member/dispatch']);
    expect(await project.run('record', 'rename', 'AgentUrl/demo', 'try')).toMatchObject({ code: 0, stderr: '' });
  });

  test('A renamed organization with other settings is new, and its dependents report the old account.', async () => {
    await startApplied();
    await project.edit('organizations/acme.yaml', 'name: acme', 'name: other');
    await project.edit('organizations/acme.yaml', 'Acme Plumbing', 'Other Ltd');
    await project.edit('members/dispatcher.yaml', 'organization: acme', 'organization: other');
    for (const path of ['agents/front-desk.yaml', 'contexts/regular.yaml', 'contexts/landlord.yaml']) {
      await project.edit(path, 'organization: acme', 'organization: other');
    }
    await project.edit('members/bookkeeper.yaml', 'organization: acme', 'organization: other');
    const { summary } = await plan();
    expect(summary).toMatchObject({ create: 1 });
    expect((await reasons())['Member/dispatcher']).toMatch(
      /account 1001.*Organization\/other does not exist yet.*rename Organization\/acme Organization\/other -e local`.*forget Member\/dispatcher -e local`/,
    );
  });
});

test('A renamed record reports its lost fingerprints and whether a manifest exists.', async () => {
  const provider = '  numberingProviders: [{ providerId: tel, config: { key: "${secret.PROVIDER_KEY}" } }]\n';
  await project.edit('organizations/acme.yaml', '  hipaaSetting', `${provider}  hipaaSetting`);
  await project.run('apply', '--yes', '--new', 'all', 'acme');
  const renamed = await project.run('record', 'rename', 'Organization/acme', 'Organization/acme-ltd');
  expect(renamed).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/no manifest declares Organization\/acme-ltd[\s\S]*numberingProviders\[tel\]/),
  });
});

describe('record adopt', () => {
  test('Record adopt of an organization that no manifest names needs no id, but warns about its account.', async () => {
    await project.write(
      'organizations/pine.yaml',
      'apiVersion: agentform/v1\nkind: Organization\nname: pine\nsettings: { orgName: Pine }\n',
    );
    const adopted = await project.run('record', 'adopt', 'Organization/pine');
    expect(adopted).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Marked its manifest as applied'),
      stderr: expect.stringMatching(
        /^warning: the id of Organization\/pine is unknown.*`agentform record adopt Organization\/pine ID -e local`\n$/,
      ),
    });
    expect(await project.run('record', 'adopt', 'Organization/pine', '1001')).toMatchObject({ code: 0, stderr: '' });
  });

  test('Record adopt refuses an id for a kind without ids.', async () => {
    await project.run('record', 'adopt', 'Organization/acme', '1001');
    expect(await project.run('record', 'adopt', 'Member/bookkeeper', '5')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'the record of a member has no id; leave out "5" to mark its manifest as applied',
      ),
    });
  });
});

test('Credentials of a provider are in no output and no record, and their changes are noticed.', async () => {
  const providers =
    '  numberingProviders:\n    - { providerId: tel, config: { key: "${secret.PROVIDER_KEY}" }, default: true }\n';
  await project.edit('organizations/acme.yaml', '  hipaaSetting', `${providers}  hipaaSetting`);
  const results = [
    await project.run('plan', 'acme', '--format', 'json', '--out', 'plan.json'),
    await project.run('plan', 'acme', '--format', 'markdown'),
    await project.run('apply', '--yes', '--new', 'all', '--debug', 'acme'),
    await project.run('record', 'show', 'Organization/acme'),
  ];
  const texts = [...results.flatMap(({ stdout, stderr }) => [stdout, stderr]), ...(await project.recordTexts())];
  for (const text of [...texts, await project.read('plan.json')]) {
    expect(text).not.toContain(credential);
    expect(text).not.toContain(encodeURIComponent(credential));
  }
  expect(results[2]).toMatchObject({ code: 0 });
  expect(await project.run('plan', 'acme', '--exit-code')).toMatchObject({ code: 0 });
});

describe('the default agent of an organization', () => {
  const agents = async () => {
    const { resources } = await plan();
    const found = resources.filter(({ kind }: { readonly kind: string }) => kind === 'Agent');
    return Object.fromEntries(
      found.map(({ name, mayReplace = false }: { readonly name: string; readonly mayReplace?: boolean }) => [
        name,
        mayReplace,
      ]),
    );
  };

  test('The default agent of an organization from the same run is created without a question.', async () => {
    expect(await agents()).toEqual({ demo: true, 'front-desk': false });
    const { code, stdout } = await project.run('apply', '--yes');
    expect({ code, stdout }).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/Agent\/front-desk {2}\(\S+, created, /),
    });
    expect(await agents()).toEqual({ demo: true, 'front-desk': false });
  });

  test('The default agent of an organization from an earlier run is created without a question until a record names its account.', async () => {
    await project.run('apply', 'Organization/acme', '--yes');
    expect(await agents()).toEqual({ demo: true, 'front-desk': false });
    expect(await project.run('apply', 'Agent/front-desk', '--yes')).toMatchObject({ code: 0 });
    await project.run('record', 'rename', 'Agent/front-desk', 'Agent/other', '--yes');
    await project.run('record', 'forget', '--yes', 'Agent/demo', '--yes');
    expect(await agents()).toMatchObject({ demo: true });
  });

  test('The default agent of an adopted organization may have been edited, so a question is asked.', async () => {
    await project.run('record', 'adopt', 'Organization/acme', 'acct_1');
    expect(await agents()).toEqual({ demo: true, 'front-desk': true });
  });
});
