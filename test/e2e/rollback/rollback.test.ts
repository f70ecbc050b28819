import { expect, test } from '@jest/globals';
import { git } from '../../support/git.ts';
import { agentManifest } from '../../support/remote.ts';
import { shareProcess } from '../../support/shared-process.ts';
import {
  body,
  commit,
  draft,
  edited,
  forge,
  manifest,
  project,
  reasons,
  record,
  remote,
  useAgent,
} from './one-agent.ts';

shareProcess();

useAgent();

test('A rolled back value with a secret comes from that commit with the current secret, and update copies the rest.', async () => {
  const result = await project.run('rollback', 'front-desk', '--yes');
  expect(result.code).toBe(0);
  expect(await draft()).toMatchObject({ title: 'Good', publicInstructions: 'Say c0de-of-today Good' });
  const texts = [result.stdout, result.stderr, ...(await project.recordTexts())];
  expect(texts.join('')).not.toContain('c0de-of-today');
  expect(await reasons()).toMatch(/run `agentform update .*settings\.publicInstructions cannot be copied/);

  const updated = await project.run('update', 'front-desk');
  expect(updated).toMatchObject({ code: 3, stdout: expect.stringContaining('settings.publicInstructions') });
  const text = await project.read(manifest);
  expect(text).toContain('title: Good');
  expect(text).toContain('Say ${secret.CODE} Bad');
  await project.edit(manifest, '} Bad', '} Good');
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  expect(await record()).not.toHaveProperty('holds');
});

test('A version that no apply wrote is only restored with --to, and the last applied one is named.', async () => {
  const forged = await forge(edited);
  const refused = await project.run('rollback', 'front-desk', '--yes');
  expect(refused).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/was not written by an apply: its HMAC does not match/),
  });
  expect(refused.stdout).toContain(`agentform record show Agent/front-desk@${forged.slice(0, 12)} -e test`);
  expect(refused.stdout).toContain(`agentform rollback Agent/front-desk --to ${forged.slice(0, 12)} -e test`);
  const good = /The last earlier version that an apply wrote is ([0-9a-f]+)/.exec(refused.stdout)?.[1] ?? '';
  expect(await draft()).toMatchObject({ title: 'Bad' });
  expect(await project.run('rollback', 'front-desk', '--yes', '--to', good)).toMatchObject({ code: 0 });
  expect(await draft()).toMatchObject({ title: 'Good' });
  const named = await project.run('rollback', 'front-desk', '--yes', '--to', forged);
  expect(named).toMatchObject({ code: 0, stderr: expect.stringMatching(/its HMAC does not match/) });
  expect(named.stderr).toContain('it is restored because --to names it');
  expect(await draft()).toMatchObject({ title: 'Forged' });
});

test('The values of another agent are not restored, even if --to names their version.', async () => {
  const { id } = await record();
  const forged = await forge((text) => text.replace(`"${id}"`, '"camp_of_another"'));
  const refused = await project.run('rollback', 'front-desk', '--yes', '--to', forged);
  expect(refused).toMatchObject({
    code: 3,
    stdout: expect.stringContaining(
      `its record at ${forged.slice(0, 12)} belongs to a different agent (camp_of_another on 127.0.0.1:`,
    ),
  });
});

test('A version that no apply wrote cannot insert a secret into a prompt by naming another commit.', async () => {
  await project.write(manifest, agentManifest('front-desk', body('Bad').replace('secret.CODE', 'secret.AGENT_TOKEN')));
  await commit();
  const commitOfForger = (await git(project.root, 'rev-parse', 'HEAD')).trim();
  await project.write(manifest, agentManifest('front-desk', body('Bad')));
  await commit();
  const forged = await forge((text) =>
    edited(text)
      .replace(/"commit": "[0-9a-f]*"/, `"commit": "${commitOfForger}"`)
      .replace(/("settings.publicInstructions": \{\s*"fingerprint": ")([^"]*)/, '$1$2x'),
  );
  const result = await project.run('rollback', 'front-desk', '--yes', '--to', forged);
  expect(`${result.stdout}${result.stderr}`).toMatch(
    /settings\.publicInstructions contains a secret and cannot be restored; .*\. Its manifest at commit [0-9a-f]{12} now produces another value/,
  );
  expect(await draft()).toMatchObject({ publicInstructions: 'Say c0de-of-today Bad' });
});

test('A dashboard edit does not stop a rollback, which shows it as drift and replaces it.', async () => {
  await remote.dashboard((await record()).id, { title: 'Edited in panic' });
  const { code, stderr } = await project.run('rollback', 'front-desk', '--yes');
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/"Edited in panic" → "Good".*1 dashboard edit undone/s),
  });
  expect(await draft()).toMatchObject({ title: 'Good' });
});

test('The reason of a hold or rollback is kept without the secrets of any environment.', async () => {
  await project.edit(
    'agentform.yaml',
    'environments:',
    'environments:\n  other: { baseUrl: emulator, token: "${secret.OTHER_TOKEN}" }',
  );
  const overlay =
    'environments: { other: { settings: { publicInstructions: "${secret.OTHER_CODE} ${secret.CODES[first]}" } } }';
  await project.write(manifest, agentManifest('front-desk', body('Bad', `${overlay}\n`)));
  const reason = 'it said c0de-of-today, t0ken-of-elsewhere, c0de-of-elsewhere and first-entry';
  const masked = 'it said (sensitive), (sensitive), (sensitive) and (sensitive)';
  expect(await project.run('hold', 'front-desk', '--reason', reason)).toMatchObject({ code: 0 });
  expect(await record()).toMatchObject({ holds: { freeze: { reason: masked } } });
  expect(await project.run('unhold', 'front-desk')).toMatchObject({ code: 0 });
  await commit();
  expect(await project.run('rollback', 'front-desk', '--yes', '--reason', reason)).toMatchObject({ code: 0 });
  expect(await record()).toMatchObject({ holds: { rollback: { reason: masked } } });
});
