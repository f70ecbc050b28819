import { describe, expect, test } from '@jest/globals';
import { shareProcess } from '../support/shared-process.ts';
import {
  agents,
  credential,
  operations,
  plan,
  project,
  reasons,
  remote,
  startApplied,
  useReseller,
} from './reseller.ts';

shareProcess();

useReseller();

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
});

describe('a renamed manifest of the declared kinds', () => {
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
  test('The default agent of an organization from the same run is created without a question.', async () => {
    expect(await agents()).toEqual({ demo: true, 'front-desk': false });
    const { code, stdout } = await project.run('apply', '--yes');
    expect({ code, stdout }).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/Agent\/front-desk {2}\(\S+, created, /),
    });
    expect(await agents()).toEqual({ demo: true, 'front-desk': false });
  });

  test('The default agent of an adopted organization may have been edited, so a question is asked.', async () => {
    await project.run('record', 'adopt', 'Organization/acme', 'acct_1');
    expect(await agents()).toEqual({ demo: true, 'front-desk': true });
  });
});
