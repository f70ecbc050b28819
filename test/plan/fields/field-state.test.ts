import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/json/json.ts';
import { formatPath } from '../../../src/kinds/field-path.ts';
import { secrecyOf } from '../../../src/kinds/sensitive.ts';
import { liveSide, resourceState } from '../../../src/plan/fields/resource-state.ts';
import type { Observation } from '../../../src/plan/observation.ts';
import type { AppliedField, ResourceRecord } from '../../../src/schemas/record-types.ts';
import { Secret } from '../../../src/secrets/secret.ts';
import { saying } from '../../support/notices.ts';
import { agentRecord, campaign, desiredAgent, planOf } from '../../support/observations.ts';

interface Parts {
  readonly wanted?: JsonObject;
  readonly sensitive?: readonly string[];
  readonly fields?: Readonly<Record<string, AppliedField>>;
  readonly live?: Readonly<Record<string, unknown>>;
}

function observe({ wanted = {}, sensitive = [], fields = {}, live = {} }: Parts): Observation {
  const record: ResourceRecord = { ...agentRecord({}), fields: { ...fields } };
  const desired = desiredAgent(wanted, { sensitive: new Set(sensitive) });
  return { desired, record, reading: { campaign: campaign(live) } };
}

describe('a value that reads back in another form', () => {
  const recorded: AppliedField = { value: ' Hi', readBack: 'Hi', rules: ['white-space'] };
  const changes = (W: string | undefined, H: string, applied: AppliedField = recorded) =>
    planOf(
      observe({
        wanted: { settings: W === undefined ? {} : { welcomeMessage: W } },
        fields: { 'settings.welcomeMessage': applied },
        live: { welcomeMessage: H },
      }),
    ).changes.map(({ op, cause }) => `${op} ${cause}`);

  test.each<[string, string | undefined, string, string[]]>([
    ['is not a change while it reads back the same', ' Hi', 'Hi', []],
    ['is set if the manifest moved', 'Bye', 'Hi', ['set manifest']],
    ['is drift if live moved', ' Hi', 'Theirs', ['set drift']],
    ['is a conflict if both moved', 'Bye', 'Theirs', ['set conflict']],
    ['does not replace a new manifest value', 'Hello', 'Hi', ['set manifest']],
  ])('A value that reads back in another form %s.', (_name, W, H, expected) => expect(changes(W, H)).toEqual(expected));

  test('A value that reads back in another form can be removed without a conflict.', () => {
    const given = (live: string) =>
      planOf(
        observe({
          fields: { 'settings.agentLang': { value: 'ES-mx', readBack: 'es-MX', rules: ['letter-case'] } },
          live: { agentLang: live },
        }),
      );
    expect(given('es-MX').changes).toMatchObject([{ op: 'unset', cause: 'manifest', from: 'ES-mx' }]);
    expect(given('multi').changes).toMatchObject([{ op: 'unset', cause: 'conflict', lastApplied: 'ES-mx' }]);
  });

  test('A sensitive value that reads back in another form is compared by fingerprint.', () => {
    const [wanted, live] = [`  ${secret}`, secret].map((text) => {
      const state = resourceState(sensitive({ welcomeMessage: text }, {}), secrecyOf([]));
      return state.fields[0]?.wanted?.key ?? '';
    });
    const print: AppliedField = { fingerprint: wanted ?? '', readBackFingerprint: live ?? '', rules: ['white-space'] };
    const plan = (H: string) => planOf(sensitive({ welcomeMessage: `  ${secret}` }, { welcomeMessage: H }, print));
    expect(plan(secret).changes).toEqual([]);
    expect(plan('Theirs').changes).toMatchObject([{ op: 'set', cause: 'drift' }]);
  });

  function sensitive(settings: JsonObject, live: Record<string, unknown>, print?: AppliedField): Observation {
    const fields = print === undefined ? {} : { 'settings.welcomeMessage': print };
    return observe({ wanted: { settings }, sensitive: ['/settings/welcomeMessage'], fields, live });
  }
});

const secret = 'hunter2-hunter2';

describe('masked values', () => {
  test('A value is masked if only the record marks it as sensitive.', () => {
    const { changes } = planOf(
      observe({
        wanted: { settings: { welcomeMessage: 'in clear now' } },
        fields: { 'settings.welcomeMessage': { fingerprint: 'scrypt:x' } },
        live: { welcomeMessage: 'as it was' },
      }),
    );
    expect(changes).toMatchObject([
      {
        op: 'set',
        cause: 'conflict',
        from: { sensitive: true },
        to: { sensitive: true },
        lastApplied: { sensitive: true },
      },
    ]);
    expect(changes[0]?.lastApplied).toEqual({ sensitive: true, fingerprint: 'scrypt:x' });
  });

  test('A value is masked if it contains a secret at any depth, as a value or as the name of a member.', () => {
    for (const beta of [[{ name: secret }], { list: [[secret]] }, { [secret]: 1 }, [{ [secret]: true }]]) {
      const observation = observe({ wanted: { extraSettings: { beta } } });
      const plan = planOf(observation, { secrets: [new Secret(secret)] });
      expect(plan.changes).toMatchObject([{ path: 'extraSettings.beta', to: { sensitive: true } }]);
      expect(JSON.stringify(plan)).not.toContain(secret);
    }
  });

  test('A null or absent value is not masked, even if a secret is the text null or undefined.', () => {
    const observation = observe({ wanted: { settings: { agentThinking: null } }, live: { agentThinking: 'low' } });
    const secrets = ['null', 'undefined'].map((text) => new Secret(text));
    expect(planOf(observation, { secrets }).changes).toMatchObject([{ from: 'low', to: null }]);
  });
});

describe('the state of live fields', () => {
  const shown = { title: 'T', welcomeMessage: 'Hi', beta: 1, gamma: 2, delta: 3 };

  test('Unknown settings are looked up under the declared and recorded names.', () => {
    const observation = observe({
      wanted: { extraSettings: { beta: 1 } },
      fields: { 'extraSettings.gamma': { value: 2 }, 'settings.delta': { value: 3 } },
      live: shown,
    });
    const { leaves } = liveSide(observation);
    expect(leaves.map(([path]) => formatPath('Agent', path)).sort()).toEqual([
      'extraSettings.beta',
      'extraSettings.gamma',
      'settings.title',
      'settings.type',
      'settings.welcomeMessage',
    ]);
  });

  test('Live values are unknown after a failed read, without a read, and for a kind that cannot be read.', () => {
    const { reading, ...unread } = observe({ live: shown });
    const context: Observation = { ...observe({ live: shown }), desired: desiredAgent({}, { kind: 'Context' }) };
    for (const observation of [{ ...unread, reading: { failure: saying('no') } }, unread, context]) {
      const { leaves, isReadable } = liveSide(observation);
      expect({ size: leaves.length, readable: isReadable(['settings', 'title']) }).toEqual({
        size: 0,
        readable: false,
      });
    }
    expect(reading).toBeDefined();
  });

  test('The state only has declared and recorded fields and whole lists, in path order.', () => {
    const { fields, declaredLists, recordedLists } = resourceState(
      observe({
        wanted: { skills: [{ slug: 'b', instructions: 'B' }], settings: { title: 'T' } },
        fields: { 'settings.agentLang': { value: 'en-US' }, 'apps[pay].version': { value: 'v1' } },
        live: {
          ...shown,
          skills: [{ slug: 'a', instructions: 'A' }],
          apps: [{ appId: 'crm', version: 'v2' }],
          links: ['https://a.example'],
        },
      }),
      secrecyOf([]),
    );
    expect(fields.map(({ text }) => text)).toEqual([
      'apps[crm].version',
      'apps[pay].version',
      'settings.agentLang',
      'settings.title',
      'skills[a].instructions',
      'skills[b].instructions',
    ]);
    expect(declaredLists.values()).toEqual([['skills']]);
    expect(recordedLists.values()).toEqual([['apps']]);
  });
});

test('An extra setting that is dropped is compared with the live value, and released.', () => {
  const observation = observe({ fields: { 'extraSettings.beta': { value: 1 } }, live: { beta: 2 } });
  expect(planOf(observation).changes).toEqual([
    { op: 'release', path: 'extraSettings.beta', from: 2, cause: 'manifest', knowledge: 'compared' },
  ]);
});
