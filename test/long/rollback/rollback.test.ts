import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  apply,
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
  startFromGood,
  useAgent,
} from '../../e2e/rollback/one-agent.ts';
import { git } from '../../support/git.ts';
import { spoken } from '../../support/notices.ts';
import { agentManifest } from '../../support/remote.ts';
import { shareProcess } from '../../support/shared-process.ts';

shareProcess();

useAgent();

describe('a rollback of a value with a secret', () => {
  test('A rolled back value with a secret is left and named if that manifest does not have it.', async () => {
    await project.write(manifest, agentManifest('front-desk', body('Worse')));
    expect(await project.run('plan', '--out', 'plan.json')).toMatchObject({ code: 0 });
    await apply(body('Worse'));
    const result = await project.run('rollback', '--from', 'plan.json', '--yes');
    expect(result).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /settings\.publicInstructions contains a secret and cannot be restored; .*\. Its record does not name a commit/,
      ),
    });
    expect(await draft()).toMatchObject({ title: 'Bad', publicInstructions: 'Say c0de-of-today Worse' });
  });

  test('A rotated secret is restored as the reference that the agent still has, and the plan shows it.', async () => {
    const result = await project.with({ CODE: 'c0de-after-rotation' }).run('rollback', 'front-desk', '--yes');
    expect(result).toMatchObject({ code: 0, stderr: expect.stringContaining('"Say ${secret.CODE} Good"') });
    expect(await draft()).toMatchObject({ title: 'Good', publicInstructions: 'Say c0de-after-rotation Good' });
    expect(`${result.stdout}${result.stderr}`).not.toContain('c0de-');
  });

  test('A rotated secret is left unchanged if the agent no longer refers to it.', async () => {
    await startFromGood();
    await apply(body('Bad').replace('secret.CODE', 'secret.OTHER_CODE'));
    const result = await project.with({ CODE: 'c0de-after-rotation' }).run('rollback', 'front-desk', '--yes');
    expect(result).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/settings\.publicInstructions contains a secret and cannot be restored/),
    });
    expect(await draft()).toMatchObject({ title: 'Good', publicInstructions: 'Say c0de-of-elsewhere Bad' });
  });

  test('A rollback whose only value cannot be restored gives the reason, and does not claim that the value is live.', async () => {
    await startFromGood();
    await apply(body('Good').replace('secret.CODE', 'secret.OTHER_CODE'));
    const rotated = project.with({ CODE: 'c0de-after-rotation' });
    const { code, stdout, stderr } = await rotated.run('rollback', 'front-desk', '--yes');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('Rollback: 0 restored') });
    expect(stderr).toContain('settings.publicInstructions contains a secret and cannot be restored');
    expect(stderr).not.toContain('already has the values');
  });
});

describe('the plan after a rollback', () => {
  test('The plan after a rollback offers no update that would copy nothing, and says why.', async () => {
    await startFromGood();
    await apply(body('Good').replace('Say', 'Tell'));
    expect(await project.run('rollback', 'front-desk', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Rollback: 1 restored.'),
    });
    expect(await reasons()).toMatch(/settings\.publicInstructions cannot be copied: .*secret.*run `agentform unhold/);
    expect(await reasons()).not.toContain('agentform update');
  });
});

describe('a version that no apply wrote', () => {
  const withoutHmac = (text: string) => text.replace(/ {2}"hmac": "[^"]*",\n/, '');

  const forgeries: ReadonlyArray<readonly [(text: string) => string, RegExp]> = [
    [(text) => withoutHmac(edited(text)), /was saved without the token/],
    [(text) => edited(text).replace(/"hmac": "hmac:[^:]*/, '"hmac": "hmac:AAAAAAAA'), /was saved with another token/],
    [(text) => edited(text).replace(/"hmac": "hmac:[^"]*/, '"hmac": "scrypt:AAAA'), /its HMAC does not match/],
  ];

  test('A version that was saved without the token, or has another HMAC, is refused with the reason.', async () => {
    for (const [change, why] of forgeries) {
      const forged = await forge(change);
      const refused = await project.run('rollback', 'front-desk', '--yes');
      expect(refused).toMatchObject({ code: 3, stdout: expect.stringMatching(why) });
      expect(refused.stdout).toContain(`agentform rollback Agent/front-desk --to ${forged.slice(0, 12)} -e test`);
    }
    expect(await draft()).toMatchObject({ title: 'Bad' });
  });

  test('A version without an apply, such as a hold, is skipped for the earlier version with the same values.', async () => {
    await startFromGood();
    expect(await project.with({ AGENT_TOKEN: '' }).run('hold', 'front-desk', '--reason', 'demo')).toMatchObject({
      code: 0,
    });
    await commit();
    expect(await project.with({ AGENT_TOKEN: '' }).run('unhold', 'front-desk')).toMatchObject({ code: 0 });
    await apply(body('Bad'));
    expect(await project.run('rollback', 'front-desk', '--yes')).toMatchObject({ code: 0 });
    expect(await draft()).toMatchObject({ title: 'Good' });
  });
});

test('A rollback that the service refuses leaves no hold.', async () => {
  await remote.faults(['success-false:operation=updateAgent']);
  expect(await project.run('rollback', 'front-desk', '--yes')).toMatchObject({ code: 1 });
  await remote.faults([]);
  expect(await record()).not.toHaveProperty('holds');
  expect(await draft()).toMatchObject({ title: 'Bad' });
});

test('A rollback that is killed before its answer leaves a hold, and a repeated one completes it.', async () => {
  await startFromGood();
  for (const title of ['Oldest', 'Good', 'Bad']) await apply(body(title));
  await remote.requests();
  await remote.faults(['latency:operation=updateAgent,ms=1500']);
  const running = project.start('rollback', 'front-desk', '--yes', '--reason', 'cut off');
  let hasEnded = false;
  void running.done.then(() => {
    hasEnded = true;
  });
  let writes = 0;
  while (writes === 0 && !hasEnded) writes = await remote.arrived('updateAgent');
  expect({ writes, hasEnded }).toEqual({ writes: 1, hasEnded: false });
  expect(await record()).toHaveProperty('holds.rollback');
  running.kill('SIGKILL');
  await running.done;
  await remote.faults([]);
  await new Promise((settle) => setTimeout(settle, 2000));
  await remote.requests();
  const next = await project.run('apply', '--yes', '--new', 'all');
  expect((await remote.requests('updateAgent')).length).toBe(0);
  expect(next.code).toBe((await draft()).title === 'Good' ? 3 : 0);
  // The first repetition may send no requests, because the killed rollback may already have written the values.
  for (let repeated = 0; repeated < 2; repeated += 1) {
    expect(await project.run('rollback', 'front-desk', '--yes', '--to', 'previous')).toMatchObject({ code: 0 });
    expect(await draft()).toMatchObject({ title: 'Good' });
    expect(await record()).toMatchObject({ event: 'rollback', holds: { rollback: {} } });
  }
});

test('Update copies all rolled back settings into the manifests, including unreadable ones, and ends the hold.', async () => {
  await startFromGood();
  await apply(body('Bad').replace('Answers the phone', 'Hangs up'));
  expect(await project.run('rollback', 'front-desk', '--yes')).toMatchObject({ code: 0 });
  await project.edit(manifest, 'settings:', 'settings:\n  agentLang: es-ES');
  const { code, stdout } = await project.run('update', 'front-desk');
  expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringContaining('settings.publicInstructions') });
  const text = await project.read(manifest);
  expect(text).toMatch(/agentLang: es-ES\n {2}title: Good\n {2}description: Answers the phone\n/);
  expect(text).toContain('Say ${secret.CODE} Bad');
  await project.edit(manifest, '} Bad', '} Good');
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  expect(await record()).not.toHaveProperty('holds');
});

test('Drift shows what moved on a held resource, and that no apply undoes it.', async () => {
  await startFromGood();
  expect(await project.run('hold', 'front-desk', '--reason', 'demo')).toMatchObject({ code: 0 });
  expect(await project.run('drift', '--exit-code')).toMatchObject({ code: 0 });
  await remote.dashboard((await record()).id, { title: 'Edited' });
  const { code, stdout } = await project.run('drift', '--exit-code', '--format', 'json');
  expect(code).toBe(2);
  expect(spoken(JSON.parse(stdout).resources[0])).toMatchObject({
    status: 'drifted',
    reasons: [expect.stringMatching(/^on hold by .*: demo\. To release it/)],
    moves: [{ path: 'settings.title', lastApplied: 'Good', live: 'Edited', effect: 'held' }],
    doubts: [{ path: 'settings.description', effect: 'held' }],
  });
  const text = (await project.run('drift')).stdout;
  expect(text).toContain('the next apply does not change this setting, because of a hold or `unanswered: leave`');
  expect(text).toContain('a hold keeps the next apply from sending it again');
  expect(text).not.toContain('agentform apply');
});

test('A policy can stop a rollback until --skip-policies overrules it in the record and the ledger.', async () => {
  const policy =
    'apiVersion: agentform/v1\nkind: Policy\nname: not-good\nrules:\n' +
    '  - deny: change.to == "Good"\n    message: Good is not good enough.\n';
  await project.write('agents/policy.yaml', policy);
  const denied = await project.run('rollback', 'front-desk', '--yes');
  expect(denied).toMatchObject({ code: 3, stdout: expect.stringContaining('Good is not good enough') });
  expect(denied.stdout).toContain('run again with --skip-policies');
  expect(await draft()).toMatchObject({ title: 'Bad' });
  expect(await record()).not.toHaveProperty('holds');
  const skipped = await project.run('rollback', 'front-desk', '--yes', '--skip-policies', '--format', 'json');
  expect(JSON.parse(skipped.stdout).entries[0]).toMatchObject({
    outcome: 'applied',
    overruled: [{ rule: 'policies', names: ['not-good'], by: 'flag' }],
  });
  expect(await record()).toMatchObject({ overruled: [{ rule: 'policies', names: ['not-good'], by: 'flag' }] });
  expect(await draft()).toMatchObject({ title: 'Good' });
});

test('A rollback crosses a rename, to the previous version and to a named one.', async () => {
  await startFromGood();
  const before = await git(project.root, 'rev-parse', 'HEAD');
  await project.write(manifest, agentManifest('reception', `renamedFrom: front-desk\n${body('Good')}`));
  await commit();
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  await commit();
  await project.write(manifest, agentManifest('reception', `renamedFrom: front-desk\n${body('Bad')}`));
  await commit();
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  await commit();
  const { id } = JSON.parse((await project.run('record', 'show', 'reception')).stdout);
  const title = async () => (await remote.agents()).find((agent) => agent.id === id)?.draft.title;
  expect(await title()).toBe('Bad');
  const named = await project.run('rollback', 'reception', '--yes', '--to', before.trim().slice(0, 12));
  expect({ code: named.code, stdout: named.stdout, title: await title() }).toMatchObject({ code: 0, title: 'Good' });
  await project.write(manifest, agentManifest('reception', `renamedFrom: front-desk\n${body('Worse')}`));
  await commit();
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  await commit();
  expect(await project.run('rollback', 'reception', '--yes')).toMatchObject({ code: 0 });
  expect(await title()).toBe('Good');
});

test('A rollback to the current version says so, and sends nothing.', async () => {
  await remote.requests('updateAgent');
  const { code, stderr } = await project.run('rollback', 'front-desk', '--to', new Date().toISOString());
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Nothing to roll back: Agent/front-desk already has the values of that version.'),
  });
  expect(stderr).not.toContain('No changes');
  expect(await remote.requests('updateAgent')).toEqual([]);
});

describe('rollbacks that are refused', () => {
  const impossible: ReadonlyArray<readonly [args: readonly string[], code: number, message: RegExp]> = [
    [['--to', 'yesterday'], 1, /--to is "yesterday": expected previous, a version/],
    [['--from', 'ledger.json'], 1, /it is the result of an apply, not a plan/],
    [['--to', 'previous', '--from', 'x.json'], 1, /--to and --from cannot be combined/],
    [['--to', '2999-11-23T02:40Z'], 1, /--to is "2999-11-23T02:40Z", which is in the future; name a time in the past/],
    [['--reason', 'a\nb'], 1, /--reason must be one line of at most 300 characters/],
  ];

  test('A rollback is refused for an unknown time, a ledger, two sources or a bad reason.', async () => {
    await project.run('apply', '--yes', '--new', 'all', '--report', 'ledger.json');
    for (const [args, code, message] of impossible) {
      const result = await project.run('rollback', 'front-desk', ...args);
      expect(result).toMatchObject({ code, stderr: expect.stringMatching(message) });
    }
    expect(await draft()).toMatchObject({ title: 'Bad' });
  });

  test('A rollback is refused without a name, for uncommitted records, and for a resource never applied.', async () => {
    expect(await project.run('rollback', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('name the resources, as in `agentform rollback front-desk`'),
    });
    await project.write('agents/new.yaml', agentManifest('new', `target: { query: { a: b } }\n${body('New')}`));
    expect(await project.run('rollback', 'new', '--yes')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('it has not been applied yet'),
    });
    await git(project.root, 'rm', '--quiet', '-r', '--cached', '.agentform/records');
    await git(project.root, 'checkout', '--quiet', '--orphan', 'fresh');
    await git(project.root, 'commit', '--quiet', '--message', 'without records');
    expect(await project.run('rollback', 'front-desk', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /no commit has a record of test.*--from PLAN\.json.*commit the records after each apply/,
      ),
    });
  });
});

test('A rollback that is repeated sends nothing, and says how to go back further.', async () => {
  await apply(body('Worse'));
  expect(await project.run('rollback', 'front-desk', '--yes')).toMatchObject({ code: 0 });
  await remote.requests('updateAgent');
  const again = await project.run('rollback', 'front-desk', '--yes');
  expect(again).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /^Nothing to roll back: Agent\/front-desk already has .*\nTo go back further, .*agentform history Agent\/front-desk/,
    ),
  });
  expect(await remote.requests('updateAgent')).toEqual([]);
  expect(await draft()).toMatchObject({ title: 'Bad' });
  expect(await project.run('unhold', 'front-desk')).toMatchObject({ code: 0 });
  expect(await project.run('rollback', 'front-desk', '--yes')).toMatchObject({ code: 0 });
  expect(await draft()).toMatchObject({ title: 'Good' });
});

test('A rollback is refused for an unknown version, and without a terminal.', async () => {
  for (const [args, code, message] of [
    [['--to', 'abcdef12'], 1, /no record at "abcdef12": the repository does not have this commit; run/],
    [[], 3, /nothing was rolled back: confirmation needs a terminal; use --yes/],
  ] as const) {
    const result = await project.run('rollback', 'front-desk', ...args);
    expect(result).toMatchObject({ code, stderr: expect.stringMatching(message) });
  }
  expect(await draft()).toMatchObject({ title: 'Bad' });
});

test('In a shallow clone, a missing version says that the clone is shallow, and how to fetch the rest.', async () => {
  const root = await mkdtemp(join(tmpdir(), 'agentform-shallow-'));
  const [good] = (await git(project.root, 'log', '--format=%H', '--reverse')).split('\n');
  try {
    await git(project.root, 'clone', '--quiet', '--depth=1', `file://${project.root}`, root);
    const said = expect.stringContaining('this clone is shallow, so earlier history is missing; run `git fetch');
    const named = await project.run('rollback', 'front-desk', '--yes', '--project', root, '--to', good ?? '');
    expect(named).toMatchObject({ code: 1, stderr: said });
    const previous = await project.run('rollback', 'front-desk', '--yes', '--project', root);
    expect({ ...previous, stdout: previous.stdout.replace(/\s+/g, ' ') }).toMatchObject({ code: 3, stdout: said });
  } finally {
    await rm(root, { recursive: true });
  }
});
