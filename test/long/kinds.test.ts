import { describe, expect, test } from '@jest/globals';
import { agents, operations, plan, project, reasons, remote, startApplied, useReseller } from '../e2e/reseller.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

useReseller();

test('The remedies of declared kinds name an environment that is not the default.', async () => {
  await project.edit('agentform.yaml', 'defaultEnvironment: local', 'defaultEnvironment: production');
  await project.run('apply', '--yes', '--new', 'all', '-e', 'local');
  await project.edit('organizations/acme.yaml', 'Acme Plumbing', 'Acme Pipes');
  const { stdout } = await project.run('plan', '-e', 'local');
  const [, advice = ''] = stdout.replaceAll(/\s+/g, ' ').match(/`agentform (record adopt [^`]+)`/) ?? [];
  expect(await project.run(...advice.split(' '))).toMatchObject({ code: 0, stderr: '' });
  expect(await project.run('plan', '--exit-code', '-e', 'local')).toMatchObject({ code: 0 });
});

describe('lost answers of the declared kinds', () => {
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

  test('A lost answer to a repeatable write is followed by a second request.', async () => {
    await remote.faults(['reset-after-write:operation=setAgentUrl,times=1']);
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect((await operations()).filter((name) => name === 'setAgentUrl')).toHaveLength(2);
  });
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

test('The default agent of an organization from an earlier run is created without a question until a record names its account.', async () => {
  await project.run('apply', 'Organization/acme', '--yes');
  expect(await agents()).toEqual({ demo: true, 'front-desk': false });
  expect(await project.run('apply', 'Agent/front-desk', '--yes')).toMatchObject({ code: 0 });
  await project.run('record', 'rename', 'Agent/front-desk', 'Agent/other', '--yes');
  await project.run('record', 'forget', '--yes', 'Agent/demo', '--yes');
  expect(await agents()).toMatchObject({ demo: true });
});
