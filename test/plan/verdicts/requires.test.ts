import { describe, expect, test } from '@jest/globals';
import { type Decisions, decisionsOf } from '../../../src/plan/decisions.ts';
import { overrulingIn } from '../../../src/plan/verdicts/overruled.ts';
import {
  type Content,
  type RequiresInput,
  requiresVerdicts,
  unmetIn,
  waitOf,
  withRequires,
} from '../../../src/plan/verdicts/requires.ts';
import { detailsOf, sentenceOf, sentencesOf } from '../../../src/report/notices.ts';
import type { RequiresVerdict, ResourcePlan } from '../../../src/schemas/plan-types.ts';
import type { ResourceRecord } from '../../../src/schemas/record-types.ts';
import { saying, told } from '../../support/notices.ts';
import { agentRecord, desiredAgent } from '../../support/observations.ts';
import { change, updateOf } from '../../support/policies.ts';

const now = new Date('2026-11-23T12:00:00Z');

interface Case {
  /** The content in the manifest. */
  readonly content?: Content;
  /** The content in the record of this environment. Absent without a record. */
  readonly here?: ResourceRecord['content'] | 'silent';
  /** The digest of the overlays in the record of this environment. */
  readonly overlay?: string;
  readonly staging?: ResourceRecord['content'] | 'silent';
  readonly planned?: ResourcePlan;
  readonly requirement?: Partial<RequiresInput['requirements'][number]>;
  readonly decisions?: Decisions;
  /** The holds in the record of staging. */
  readonly holds?: ResourceRecord['holds'];
  /** Another agent in staging, and a newer agent in staging. */
  readonly twin?: ResourceRecord['content'];
  readonly newTwin?: ResourceRecord['content'];
  /** The names of the variables. Absent if they are unknown. */
  readonly variables?: readonly string[];
  /** The names of other agents that are updated in addition to `desk`. */
  readonly others?: readonly string[];
  readonly required?: readonly string[];
}

function recordWith(content: ResourceRecord['content'] | 'silent', name = 'desk'): ResourceRecord {
  return { ...agentRecord({}), name, ...(content !== 'silent' && content && { content }) };
}

const sentenceIn = ({ notice }: RequiresVerdict) => sentenceOf(notice);
const detailsIn = ({ notice }: RequiresVerdict) => detailsOf(notice);

function verdictsOf({
  content = { digest: 'new' },
  here,
  staging,
  planned,
  requirement,
  decisions,
  twin,
  newTwin,
  overlay,
  holds,
  variables = ['clinic'],
  others = [],
  required = ['staging'],
}: Case) {
  const one = planned ?? updateOf([change('settings.title')]);
  const records = new Map([
    ...(staging === undefined ? [] : [['Agent/desk', { ...recordWith(staging), ...(holds && { holds }) }] as const]),
    ...(twin === undefined ? [] : [['Agent/twin', recordWith(twin, 'twin')] as const]),
    ...(newTwin === undefined ? [] : [['Agent/twin-2', recordWith(newTwin, 'twin-2')] as const]),
  ]);
  const observation = {
    desired: desiredAgent({}),
    ...(here !== undefined && { record: { ...recordWith(here), ...(overlay && { overlay }) } }),
  };
  const changes = one.changes.map((made) => ({ path: made.path.split('.'), change: made }));
  const resources = [one, ...others.map((name) => ({ ...one, name }))];
  const judged = resources.map((each) => ({ planned: each, observation, changes }));
  return requiresVerdicts('production', judged, {
    requirements: required.map((environment) => ({ environment, ...requirement })),
    records: new Map([['staging', records]]),
    contentOf: () => content,
    now,
    decisions,
    variablesAt: variables.length === 0 ? undefined : () => new Map(variables.map((name) => [name, 'Elm'])),
  });
}

const applied = (digest: string, since = '2026-11-23T11:00:00Z') => ({ digest, since });
const held = { by: 'mona', since: '2026-11-20T11:00:00Z', reason: 'callers complain' };
const first =
  'First run `agentform apply Agent/desk -e staging`. To overrule this check, run again with --skip-requires';
const overrule = 'To overrule this check, run again with --skip-requires';

describe('content in an environment that requires another', () => {
  test.each<[string, Case, string[]]>([
    ['is applied where it is required', { here: applied('old'), staging: applied('new') }, []],
    ['is new, and is there', { staging: applied('new') }, []],
    ['is nowhere yet', {}, [`this content has not been applied there. ${first}`]],
    ['differs there', { staging: applied('old') }, [`different content is applied there. ${first}`]],
    [
      'was applied there in part, or by an older agentform',
      { staging: 'silent' },
      [`its record there does not show that all of the content was applied. ${first}`],
    ],
    ['is unknown', { content: {}, staging: applied('old') }, [`different content is applied there. ${first}`]],
    ['was tried with another client', { twin: applied('new') }, []],
    [
      'was tried with another client for long enough, and with a new client since',
      { twin: applied('new', '2026-11-20T11:00:00Z'), newTwin: applied('new'), requirement: { for: '24h' } },
      [],
    ],
    [
      'was tried with another client, but not with its own',
      { twin: applied('new'), staging: applied('old') },
      [`different content is applied there. ${first}`],
    ],
    [
      'is of a resource that is limited to others',
      { content: { digest: 'new', onlyIn: ['production'] } },
      [`staging does not have Agent/desk. ${overrule}`],
    ],
    [
      'is limited to others, but was applied there once',
      { content: { digest: 'new', onlyIn: ['production'] }, staging: applied('new') },
      [],
    ],
    ['has been there long enough', { staging: applied('new'), requirement: { for: '60m' } }, []],
    [
      'has not been there long enough',
      { staging: applied('new'), requirement: { for: '61m' } },
      [`this content has been there only since 23 Nov 2026, 11:00 UTC. ${overrule}`],
    ],
  ])('Content that %s is judged by the required environment.', (_what, given, messages) => {
    const verdicts = verdictsOf(given);
    expect(verdicts.map(detailsIn)).toEqual(
      messages.map((message) => `The environment production requires staging, and ${message}`),
    );
    expect([...unmetIn({ requires: verdicts }).keys()]).toEqual(messages.length === 0 ? [] : ['Agent/desk']);
  });
});

test('Content that is too new is refused in a sentence that states its time only once.', () => {
  const [verdict] = verdictsOf({ staging: applied('new'), requirement: { for: '61m' } });
  expect(verdict && sentenceIn(verdict)).toBe(
    'the same changes must be in staging for 61m first. The environment production requires staging, and this content ' +
      'has been there only since 23 Nov 2026, 11:00 UTC. To overrule this check, run again with --skip-requires',
  );
});

test.each<[string, ResourceRecord['holds'], ResourceRecord['content'] | 'silent', string]>([
  ['kept settings', { kept: [{ ...held, fields: {} }] }, 'silent', 'unhold'],
  ['a freeze', { freeze: held }, applied('old'), 'unhold'],
  ['a freeze that is over', { freeze: { ...held, until: '2026-11-21T00:00:00Z' } }, applied('old'), 'apply'],
  ['kept settings of other content', { kept: [{ ...held, fields: {} }] }, applied('old'), 'apply'],
])(
  'With %s in the required environment, the first remedy removes the obstacle there.',
  (_what, holds, staging, command) => {
    const [verdict] = verdictsOf({ staging, holds });
    expect(verdict?.notice.remedies[0]).toEqual([command, 'Agent/desk', '-e', 'staging']);
  },
);

describe('overlays in an environment that requires another', () => {
  const overlaid = { content: { digest: 'new', overlay: 'o' }, staging: applied('new') };
  const isNew = 'an overlay of production is new, which';
  const unlisted = 'production may have a new overlay: the record does not list overlays. An overlay';
  test.each<[string, Case, string]>([
    ['is new', { ...overlaid, here: applied('new') }, isNew],
    ['changed', { ...overlaid, here: applied('new'), overlay: 'p' }, 'an overlay of production changed, which'],
    [
      'is gone',
      { here: applied('new'), overlay: 'p', staging: applied('new') },
      'an overlay of production was removed, which',
    ],
    ['is not in the old record', { ...overlaid, here: 'silent' }, unlisted],
    ['exists from the start', overlaid, isNew],
  ])('An overlay that %s needs a decision.', (_what, given, what) => {
    const message = `The environment production requires staging, and ${what} cannot be tried in staging. ${overrule}`;
    const verdicts = verdictsOf(given);
    expect(verdicts.map(({ level }) => level)).toEqual(['deny']);
    expect(verdicts.map(detailsIn)).toEqual([message]);
  });

  test('An unchanged overlay needs no decision, and the other content is judged.', () => {
    expect(verdictsOf({ ...overlaid, here: applied('old'), overlay: 'o' })).toEqual([]);
  });
});

test('Content that was applied here before needs no other environment, and changed variables are noted.', () => {
  const [verdict] = verdictsOf({ here: applied('new'), staging: applied('newer') });
  expect(verdict).toMatchObject({ resource: 'Agent/desk', environment: 'staging', level: 'note' });
  expect(verdict && sentenceIn(verdict)).toBe(
    'only variables of production changed (clinic), and they cannot be tried in staging first',
  );
  expect(unmetIn({ requires: verdict === undefined ? [] : [verdict] }).size).toBe(0);
});

test('Several changed variables are named, and none if they are unknown or nothing is required.', () => {
  const own = { here: applied('new') };
  const messagesOf = (given: Case) => verdictsOf({ ...own, ...given }).map(sentenceIn);
  const message = 'only variables of production changed (a and b), and they cannot be tried in staging first';
  expect(messagesOf({ variables: ['b', 'a'] })).toEqual([message]);
  expect(messagesOf({ variables: [] })).toEqual([]);
  expect(messagesOf({ required: [] })).toEqual([]);
  expect(verdictsOf({ ...own, decisions: decisionsOf({ skipRequires: true }) })).toEqual(verdictsOf(own));
});

test('Two resources with the same missing environment are applied there together.', () => {
  const remedy = 'First run `agentform apply -e staging`. To overrule this check, run again with --skip-requires';
  const message = `the same changes must be applied in staging first. The environment production requires staging, and this content has not been applied there. ${remedy}`;
  expect(verdictsOf({ others: ['other'] }).map((one) => [one.resource, sentenceIn(one)])).toEqual([
    ['Agent/desk', message],
    ['Agent/other', message],
  ]);
});

test('Every required environment counts, and the resource shows what each lacks.', () => {
  const requires = verdictsOf({ required: ['staging', 'preview'] });
  const messages = ['staging', 'preview'].map((name) => {
    const remedy = `First run \`agentform apply Agent/desk -e ${name}\`. To overrule this check, run again with --skip-requires`;
    return `the same changes must be applied in ${name} first. The environment production requires ${name}, and this content has not been applied there. ${remedy}`;
  });
  const unmet = [...unmetIn({ requires })].map(([address, notices]) => [address, sentencesOf(notices)]);
  expect(unmet).toEqual([['Agent/desk', messages]]);
  expect(unmetIn({}).size).toBe(0);
  const resources = [
    updateOf([], { warnings: [saying('x')] }),
    updateOf([], { name: 'other', warnings: [saying('y')] }),
  ];
  expect(withRequires(resources, requires).map((one) => told(one).warnings)).toEqual([['x', ...messages], ['y']]);
  const decisions = decisionsOf({ skipRequires: true });
  const skipped = verdictsOf({ required: ['staging', 'preview'], decisions });
  const overruledFor = overrulingIn({ requires: skipped, resources }, decisions);
  expect(resources.map(overruledFor)).toEqual([[{ rule: 'requires', names: ['staging', 'preview'], by: 'flag' }], []]);
  expect(overrulingIn({ requires, resources }, decisions)(updateOf([]))).toEqual([]);
});

test('An undone edit beside new content waits together with the new content.', () => {
  const changes = [change('settings.title', { cause: 'drift' }), change('settings.description')];
  expect(verdictsOf({ planned: updateOf(changes) })).toHaveLength(1);
});

test.each(['drift', 'unverified'] as const)(
  'A change with the cause %s is undone without a required environment.',
  (cause) => {
    expect(verdictsOf({ planned: updateOf([change('settings.title', { cause })]) })).toEqual([]);
  },
);

test('A resource without a write is not judged.', () => {
  for (const action of ['none', 'blocked', 'failed'] as const) {
    expect(verdictsOf({ planned: updateOf([change('settings.title')], { action }) })).toEqual([]);
  }
});

test('With --skip-requires, the resource is applied, and the plan names the option.', () => {
  const verdicts = verdictsOf({ decisions: decisionsOf({ skipRequires: true }) });
  expect(verdicts).toMatchObject([
    {
      level: 'deny',
      skipped: true,
      notice: { code: 'requires', facts: { why: 'not-applied', isOverruled: true }, remedies: [] },
    },
  ]);
  expect(unmetIn({ requires: verdicts }).size).toBe(0);
});

test.each([
  ['90m', 90],
  ['24h', 24 * 60],
  ['7d', 7 * 24 * 60],
])('The duration %s is %d minutes.', (text, minutes) => {
  expect(waitOf({ environment: 'staging', for: text })).toBe(minutes * 60_000);
  expect(waitOf({ environment: 'staging' })).toBe(0);
});
