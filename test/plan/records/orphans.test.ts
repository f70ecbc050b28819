import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/json/json.ts';
import { addressOf, type Desired, inOrganization } from '../../../src/kinds/desired.ts';
import { orphansOf, type RecordedManifests } from '../../../src/plan/records/orphans.ts';
import { recordOf } from '../../../src/plan/records/record-of.ts';
import { orphanPlan } from '../../../src/plan/resource-plan.ts';
import { blockReasons } from '../../../src/plan/verdicts/blocks.ts';
import { sentencesOf } from '../../../src/report/notices.ts';
import type { ResourceRecord } from '../../../src/schemas/record-types.ts';
import { keyOfToken } from '../../../src/secrets/fingerprint.ts';
import { Secret } from '../../../src/secrets/secret.ts';
import { told } from '../../support/notices.ts';
import { agentRecord, desiredAgent } from '../../support/observations.ts';

interface Given {
  readonly token: string;
  readonly secret: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly agentId?: string;
  readonly sections?: JsonObject;
}

/** An agent as a manifest of this name declares it. */
async function agent(name: string, { token, secret, query = {}, agentId, sections = content('A') }: Given) {
  const { target } = desiredAgent({});
  const { agentId: _, ...aimed } = target;
  const secretToken = new Secret(token);
  const own = { token: secretToken, key: await keyOfToken(secretToken), tokenName: secret, query };
  return desiredAgent(sections, { name, target: { ...aimed, ...own, ...(agentId !== undefined && { agentId }) } });
}

function content(title: string): JsonObject {
  return { settings: { title, description: 'D' } };
}

const applied = { 'settings.title': { value: 'A' }, 'settings.description': { value: 'D' } };

const recordBy = (desired: Desired, id = 'camp_9'): ResourceRecord => recordOf(desired, { id, fields: applied });

const renames = (records: readonly ResourceRecord[], unrecorded: readonly Desired[]) =>
  orphansOf(records, unrecorded).map(({ renamedTo }) => renamedTo);

const old = await agent('old', { token: 'tok-1', secret: 'TOKEN_1' });
const stranger = await agent('stranger', { token: 'tok-2', secret: 'TOKEN_2', sections: content('B') });

describe('detected renames', () => {
  test.each<[string, Given]>([
    ['the same token and secret', { token: 'tok-1', secret: 'TOKEN_1' }],
    ['the same token in another secret', { token: 'tok-1', secret: 'TOKEN_9' }],
    ['another token in the same secret, for example after a rotation', { token: 'tok-9', secret: 'TOKEN_1' }],
    ['the id in its target', { token: 'tok-9', secret: 'TOKEN_9', agentId: 'camp_9' }],
  ])('A rename is detected by %s, beside other new manifests.', async (_what, given) => {
    const renamed = await agent('new', { ...given, sections: content('Edited') });
    expect(renames([recordBy(old)], [stranger, renamed])).toEqual(['Agent/new']);
    expect(renames([recordBy(old)], [renamed, stranger])).toEqual(['Agent/new']);
  });

  test('If there is evidence for a rename to two manifests, the stronger evidence decides.', async () => {
    const byToken = await agent('by-token', { token: 'tok-1', secret: 'TOKEN_8' });
    const bySecret = await agent('by-secret', { token: 'tok-8', secret: 'TOKEN_1' });
    expect(renames([recordBy(old)], [bySecret, byToken])).toEqual(['Agent/by-token']);
  });

  test('A rename is detected for each of several manifests.', async () => {
    const second = await agent('old-2', { token: 'tok-3', secret: 'TOKEN_3' });
    const renamed = await agent('new', { token: 'tok-1', secret: 'TOKEN_1' });
    const renamedSecond = await agent('new-2', { token: 'tok-3', secret: 'TOKEN_3' });
    expect(renames([recordBy(old), recordBy(second, 'camp_8')], [renamedSecond, renamed])).toEqual([
      'Agent/new',
      'Agent/new-2',
    ]);
  });

  test('A rename is not detected by the token with another query, which is another agent.', async () => {
    const other = await agent('new', { token: 'tok-1', secret: 'TOKEN_1', query: { targetAccountId: '17' } });
    expect(renames([recordBy(old)], [other])).toEqual([undefined]);
  });

  test('A rename is detected for one manifest and one record, by the strongest evidence.', async () => {
    const renamed = await agent('new', { token: 'tok-1', secret: 'TOKEN_2' });
    const orphans = [recordBy(old), recordBy({ ...stranger, name: 'older' }, 'camp_8')];
    expect(orphansOf(orphans, [renamed])).toStrictEqual([
      { record: orphans[0], renamedTo: 'Agent/new' },
      { record: orphans[1] },
    ]);
  });

  test('A rename is not detected by an absent id or identity.', async () => {
    const { id: _, ...withoutId } = recordBy(old);
    expect(renames([withoutId], [stranger])).toEqual([undefined]);
    const unnamed: Desired = { ...old, kind: 'Member', name: 'new', sections: {} };
    expect(renames([recordOf({ ...unnamed, name: 'old' }, { fields: {} })], [unnamed])).toEqual([undefined]);
  });

  test('A rename of a kind with an identity is only detected for the same identity.', async () => {
    const member = (name: string, email: string): Desired => ({
      ...old,
      kind: 'Member',
      name,
      sections: { settings: { email } },
    });
    const record = recordOf(member('old', 'a@x.example'), { fields: { 'settings.email': { value: 'a@x.example' } } });
    const wanted = [member('other', 'b@x.example'), member('new', 'A@x.example')];
    expect(renames([record], wanted)).toEqual(['Member/new']);
  });

  test('A rename is not detected for an unknown kind.', () => {
    expect(renames([agentRecord({}, { kind: 'Robot' })], [old])).toEqual([undefined]);
  });
});

describe('creates beside orphans', () => {
  const blocked = (desired: Desired, records: readonly ResourceRecord[], all: readonly Desired[] = [desired]) =>
    sentencesOf(blockReasons({ desired }, orphansOf(records, all)));

  test('A create is not blocked by an orphan of another token and secret on the same host.', () => {
    expect(blocked(stranger, [recordBy(old)])).toEqual([]);
  });

  test('A create that is a detected rename is blocked, and only names the rename.', async () => {
    const renamed = await agent('new', { token: 'tok-9', secret: 'TOKEN_1' });
    const [reason, ...others] = blocked(renamed, [recordBy(old)], [stranger, renamed]);
    expect(reason).toMatch(
      /Agent\/old was renamed to Agent\/new, write `renamedFrom: old` in .*Agent\/new, or run `agentform record rename Agent\/old Agent\/new -e test`$/,
    );
    expect([reason, ...others].join()).not.toContain('forget');
  });

  test('A create names both remedies if the orphan has no token.', () => {
    expect(blocked(stranger, [{ ...recordBy(old), credentials: {} }])).toEqual([
      expect.stringMatching(
        /the same agent, write `renamedFrom: old` .*rename Agent\/old Agent\/stranger.* removed permanently, list Agent\/old under `removed`.*forget Agent\/old -e test`/,
      ),
    ]);
  });

  test('A create is blocked by a record that was adopted without the token, whatever the token.', async () => {
    const record: ResourceRecord = { ...recordBy(old), credentials: { secret: 'TOKEN_1' } };
    expect(blocked(stranger, [record])).toHaveLength(1);
  });
});

describe('reasons of an orphan', () => {
  test('An orphan with a detected rename names only that rename and its command.', async () => {
    const renamed = await agent('new', { token: 'tok-9', secret: 'TOKEN_9', agentId: 'camp_9' });
    const [orphan] = orphansOf([recordBy(old)], [renamed]);
    const { reasons } = told(orphanPlan(orphan ?? { record: recordBy(old) }));
    expect(reasons).toEqual([
      'it is now Agent/new in the files. Write `renamedFrom: old` in the manifest of Agent/new, or run `agentform record rename Agent/old Agent/new -e test`',
    ]);
  });

  const reasonOf = (record: ResourceRecord, ...more: [readonly Desired[], RecordedManifests?]) =>
    told(orphanPlan(orphansOf([record], ...more)[0] ?? { record })).reasons.join();

  test('An orphan without a rename is removed, with the command that drops it.', () => {
    const reason = reasonOf(recordBy(old), []);
    expect(reason).toMatch(/removed permanently, list Agent\/old under `removed`.*forget Agent\/old -e test`$/);
    expect(reason).not.toContain('rename');
  });

  test('An orphan may have been renamed to manifests of its kind and host without a record.', () => {
    expect(reasonOf(recordBy(old), [stranger])).toMatch(
      /If its manifest was renamed to Agent\/stranger, write `renamedFrom: old` .*record rename Agent\/old Agent\/stranger.*\. If .*removed permanently/,
    );
    const others = [stranger, { ...stranger, name: 'other' }, { ...stranger, kind: 'Member', name: 'third' } as const];
    expect(reasonOf(recordBy(old), others)).toContain(
      'If its manifest was renamed to Agent/stranger or Agent/other, write `renamedFrom: old` in that manifest. ',
    );
  });

  const recorded = (record: ResourceRecord, renames: ReadonlyMap<string, string> = new Map()): RecordedManifests => ({
    records: new Map([[addressOf(record), { record }]]),
    renames,
    elsewhere: [],
  });

  test('An orphan whose manifest is limited to other environments names the command that drops it here.', () => {
    const elsewhere = [{ kind: 'Agent', name: 'old', onlyIn: ['production', 'demo'] }];
    expect(reasonOf(recordBy(old), [], { records: new Map(), renames: new Map(), elsewhere })).toBe(
      'the files use it only in production and demo, so it stays as it is in the dashboard. To drop its record and keep the agent, run `agentform record forget Agent/old -e test`',
    );
  });

  test('An orphan is a leftover if another record has the same agent.', () => {
    const record = recordBy(old);
    expect(reasonOf(record, [stranger], recorded({ ...record, name: 'new' }))).toBe(
      'it is the same agent as Agent/new, so the files need only one of the two. List Agent/old under `removed` in agentform.yaml, or run `agentform record forget Agent/old -e test`',
    );
  });

  test('An orphan with a renamed manifest and a record of another agent offers two commands.', () => {
    const taken = { ...recordBy(old), name: 'new', id: 'camp_2' };
    const reason = reasonOf(recordBy(old), [stranger], recorded(taken, new Map([['Agent/old', 'Agent/new']])));
    expect(reason).toMatch(/^the files say that it is now Agent\/new, .*the record of Agent\/new \(camp_2\), /);
    expect(reason).toMatch(
      /To keep the record of Agent\/new \(camp_2\), run `agentform record forget Agent\/old -e test`\./,
    );
    expect(reason).toMatch(/To go back to \S+, run `agentform record forget Agent\/new -e test` and apply$/);
  });

  test('An orphan listed as removed blocks a create until it is dropped.', () => {
    const renamed = { ...old, name: 'new' };
    expect(sentencesOf(blockReasons({ desired: renamed }, [{ record: recordBy(old), isRemoved: true }]))).toEqual([
      expect.stringMatching(
        /under removed\. If it is the same agent, delete that entry and write `renamedFrom: old`.*apply the removal first$/,
      ),
    ]);
  });

  test('An orphaned organization of another reseller was not renamed to this one.', () => {
    const of = (name: string, resellerId: string): Desired => ({
      ...old,
      kind: 'Organization',
      name,
      resellerId,
      sections: { settings: { orgName: 'Acme' } },
    });
    const record = recordOf(of('acme', 'r-1'), { fields: { 'settings.orgName': { value: 'Acme' } } });
    expect(orphansOf([record], [of('acme-ltd', 'r-1')])).toMatchObject([{ renamedTo: 'Organization/acme-ltd' }]);
    expect(orphansOf([record], [of('acme-ltd', 'r-2')])).toEqual([{ record, candidates: ['Organization/acme-ltd'] }]);
  });

  test('An orphaned organization of an account is named if the manifest names the new one.', () => {
    const record = recordOf({ ...old, kind: 'Organization', name: 'acme' }, { id: '1001', fields: {} });
    const desired = inOrganization({ ...stranger, organization: 'acme-ltd' }, new Map());
    const waiting = {
      desired,
      record: { ...recordBy(stranger), query: { targetAccountId: '1001' } },
      waitsFor: 'Organization/acme-ltd',
    };
    const [reason] = sentencesOf(blockReasons(waiting, [{ record, renamedTo: 'Organization/acme-ltd' }]));
    expect(reason).toMatch(/run `agentform record rename Organization\/acme Organization\/acme-ltd -e test`$/);
    expect(sentencesOf(blockReasons(waiting, [{ record }]))[0]).toMatch(/forget Agent\/stranger/);
  });
});
