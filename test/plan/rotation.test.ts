import { describe, expect, test } from '@jest/globals';
import { fieldsAsSent, fieldsWithoutWrite } from '../../src/apply/records/settled-fields.ts';
import type { JsonObject } from '../../src/json/json.ts';
import type { Desired } from '../../src/kinds/desired.ts';
import { secrecyOf } from '../../src/kinds/sensitive.ts';
import { resourceState } from '../../src/plan/fields/resource-state.ts';
import type { Observation } from '../../src/plan/observation.ts';
import { recordOf } from '../../src/plan/records/record-of.ts';
import type { AppliedField, ResourceRecord } from '../../src/schemas/record-types.ts';
import { fingerprintOf, keyOfToken } from '../../src/secrets/fingerprint.ts';
import { Secret } from '../../src/secrets/secret.ts';
import { campaign, desiredAgent, toldPlanOf } from '../support/observations.ts';

const secrets = [new Secret('code-1'), new Secret('code-2')];
const secrecy = secrecyOf(secrets);
const rotatedToken = new Secret('tok-2');
const rotatedKey = await keyOfToken(rotatedToken);

const desired = desiredAgent({ settings: { title: 'Code code-1', description: 'Dark code-1', agentLang: 'en-US' } });
const record: ResourceRecord = {
  ...recordOf(desired, { id: 'camp_1', lastUpdate: 1000, fields: fieldsAsSent(resourceState({ desired }, secrecy)) }),
};
const live = { title: 'Code code-1', agentLang: 'en-US' };

/** The same manifest after its token was rotated. */
function rotated(one: Desired, title = 'Code code-1'): Desired {
  const settings = { ...(one.sections.settings as object), ...(one.kind === 'Agent' && { title }) };
  return { ...one, sections: { settings }, target: { ...one.target, token: rotatedToken, key: rotatedKey } };
}

const read = (parts: Parameters<typeof campaign>[0] = live) => ({ campaign: campaign(parts) });

const planned = (observation: Observation) => toldPlanOf(observation, { secrets });

describe('before a rotation', () => {
  test('A resource does not change before a rotation.', () => {
    expect(planned({ desired, record, reading: read() })).toMatchObject({ action: 'none', warnings: [] });
  });
});

describe('an agent after a token rotation', () => {
  test('After a token rotation, unreadable settings are resent once, and the plan says why.', () => {
    expect(planned({ desired: rotated(desired), record, reading: read() })).toMatchObject({
      action: 'update',
      changes: [{ path: 'settings.description', op: 'set', cause: 'manifest' }],
      warnings: [
        expect.stringMatching(/settings\.description\) cannot be compared\. They are sent again\. .*another token/),
      ],
    });
  });

  test.each([
    ['manifest without an edit', { ...live }, 'manifest'],
    ['conflict after an edit', { ...live, lastUpdate: 2000 }, 'conflict'],
    ['drift if the value is missing', { agentLang: 'en-US', lastUpdate: 2000 }, 'drift'],
  ])('After a token rotation, a differing sensitive value has the cause %s', (_what, parts, cause) => {
    const { changes } = planned({ desired: rotated(desired, 'Code code-2'), record, reading: read(parts) });
    expect(changes.find(({ path }) => path === 'settings.title')).toMatchObject({ op: 'set', cause });
  });

  test('After a token rotation, a misspelt reference to a secret is a change whose old value stays hidden.', () => {
    const plan = planned({ desired: rotated(desired, 'Code ${secrets.CODE}'), record, reading: read() });
    const change = plan.changes.find(({ path }) => path === 'settings.title');
    expect(change).toMatchObject({ op: 'set', cause: 'manifest' });
    expect(JSON.stringify(plan)).not.toContain('code-1');
  });

  test('After a token rotation, an agent has no change if live shows the wanted sensitive value, even after an edit.', () => {
    const { changes } = planned({ desired: rotated(desired), record, reading: read({ ...live, lastUpdate: 2000 }) });
    expect(changes.filter(({ path }) => path === 'settings.title')).toEqual([]);
  });

  test('After a token rotation, an unedited or missing sensitive setting is released without a conflict.', () => {
    const { title: _, ...settings } = rotated(desired).sections.settings as JsonObject;
    const without: Desired = { ...rotated(desired), sections: { settings } };
    const changesTo = (parts: Parameters<typeof campaign>[0]) =>
      planned({ desired: without, record, reading: read(parts) }).changes.filter(({ path }) => path.endsWith('title'));
    expect(changesTo({ agentLang: 'en-US' })).toEqual([]);
    expect(changesTo(live)).toMatchObject([{ cause: 'manifest' }]);
    // The setting is not resent, so the plan does not name it.
    const { description: __, ...others } = settings;
    const observation = { desired: { ...without, sections: { settings: others } }, record, reading: read() };
    expect(planned(observation).warnings.join()).not.toContain('sent again');
  });

  test('After a token rotation, matching values get new fingerprints, and a change that is not applied keeps the old one.', () => {
    const state = resourceState({ desired: rotated(desired), record, reading: read() }, secrecy);
    const fields = fieldsWithoutWrite(state);
    const place = { environment: 'test', kind: 'Agent', name: 'front-desk', path: 'settings.title' };
    expect(fields['settings.title']).toEqual({ fingerprint: fingerprintOf(rotatedKey, place, '"Code code-1"') });
    expect(fields['settings.description']).toEqual(record.fields['settings.description']);
    expect(fields['settings.agentLang']).toEqual({ value: 'en-US' });
  });

  test('After a token rotation, the form in which a value reads back is kept.', () => {
    const normalised: AppliedField = {
      ...record.fields['settings.title'],
      readBackFingerprint: printOf('Code code-1!'),
      rules: ['white-space'],
    };
    const known = { ...record, fields: { ...record.fields, 'settings.title': normalised } };
    const state = resourceState({ desired, record: known, reading: read({ ...live, title: 'Code code-1!' }) }, secrecy);
    expect(state.fields.find(({ text }) => text === 'settings.title')).toMatchObject({ liveIsWanted: true });
    expect(fieldsWithoutWrite(state)['settings.title']).toEqual(normalised);
  });

  const sensitive = { query: { key: 'code-1' }, sensitiveQuery: new Set(['key']) };

  test('After a token rotation, an agent is the same despite a sensitive query parameter.', () => {
    const asked = { ...desired, target: { ...desired.target, ...sensitive } };
    const asRecorded = recordOf(asked, { id: 'camp_1', lastUpdate: 1000, fields: record.fields });
    expect(planned({ desired: rotated(asked), record: asRecorded, reading: read() })).toMatchObject({
      action: 'update',
    });
    const other = { ...asked, target: { ...asked.target, query: { key: 'code-2' } } };
    expect(planned({ desired: other, record: asRecorded, reading: read() })).toMatchObject({ action: 'blocked' });
  });

  test('After a token rotation, an agent counts as another one if a query parameter became a secret.', () => {
    const asked = { ...desired, target: { ...desired.target, ...sensitive } };
    const clear = { ...record, query: { key: 'code-1' } };
    expect(planned({ desired: asked, record: clear, reading: read() })).toMatchObject({ action: 'blocked' });
  });
});

describe('other kinds after a token rotation', () => {
  const kinds: Record<string, { readonly settings: Record<string, string>; readonly sent: boolean }> = {
    AgentUrl: { settings: { targetUsername: 'u', slug: 'demo-code-1' }, sent: true },
    PhoneNumber: { settings: { number: 'code-1' }, sent: true },
    Organization: { settings: { orgName: 'Acme', email: 'code-1@x.example' }, sent: false },
    Member: { settings: { email: 'code-1@x.example' }, sent: false },
    Context: { settings: { target: '+1', context: 'code-1' }, sent: false },
  };

  test.each(Object.entries(kinds))(
    'After a token rotation, the kind %s is resent if that replaces, and applied if it adds.',
    (kind, one) => {
      const resource = { ...desiredAgent({ settings: one.settings }), kind: kind as Desired['kind'] };
      const fields = fieldsAsSent(resourceState({ desired: resource }, secrecy));
      const known = recordOf(resource, { fields });
      const path = Object.entries(fields).find(([, field]) => field.fingerprint !== undefined)?.[0];
      const observation = { desired: rotated(resource), record: known };
      expect(planned(observation)).toMatchObject({
        action: one.sent ? 'update' : 'none',
        changes: one.sent ? [{ path, cause: 'manifest' }] : [],
        warnings: [expect.stringMatching(one.sent ? /\. They are sent again\. / : /\. They count as unchanged\. /)],
      });
      const settled = fieldsWithoutWrite(resourceState(observation, secrecy))[path ?? ''];
      if (one.sent) expect(settled).toEqual(fields[path ?? '']);
      else expect(settled).toEqual({ fingerprint: expect.stringContaining(`hmac:${rotatedKey.id}:`) });
      const given: Desired = { ...observation.desired, sections: { settings: {} } };
      expect(planned({ desired: given, record: known }).changes).toContainEqual(
        expect.objectContaining({ path, cause: 'manifest' }),
      );
    },
  );
});

function printOf(text: string): string {
  const place = { environment: 'test', kind: 'Agent', name: 'front-desk', path: 'settings.title' };
  return fingerprintOf(desired.target.key, place, JSON.stringify(text));
}
