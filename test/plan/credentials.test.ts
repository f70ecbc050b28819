import { expect, test } from '@jest/globals';
import { secrecyOf } from '../../src/kinds/sensitive.ts';
import { notice } from '../../src/notices/notice.ts';
import { planHidingCredentials } from '../../src/plan/credentials.ts';
import { driftOf } from '../../src/plan/drift.ts';
import { makePlan } from '../../src/plan/plan.ts';
import { questionsOf } from '../../src/plan/questions.ts';
import { blockedFor } from '../../src/plan/resource-plan.ts';
import { agentRecord, campaign, desiredAgent } from '../support/observations.ts';
import { processorMs } from '../support/processor.ts';

const options = { unverified: 'set' as const, secrecy: secrecyOf([]), orphans: [] };
const credential = (last: string) => `Use the api key a1B2c3D4e5F6g7H${last}`;
const wanted = {
  settings: { title: 'T', welcomeMessage: 'Hi' },
  extraSettings: { crm: { headers: { Accept: 'json' } } },
};
const record = agentRecord({ 'settings.title': 'T', 'settings.welcomeMessage': 'Hi' });

const typed = notice('credential-hidden', { paths: ['settings.welcomeMessage'] });

async function planned(live: Readonly<Record<string, unknown>>, sections: Parameters<typeof desiredAgent>[0] = wanted) {
  const reading = { campaign: campaign({ title: 'T', crm: { headers: { Accept: 'json' } }, ...live }) };
  return (await planHidingCredentials({ desired: desiredAgent(sections), record, reading }, options)).planned;
}

const hidden = { sensitive: true, fingerprint: expect.stringMatching(/^hmac:/) };

test('A live value with a credential is shown as a fingerprint, and the value of the manifest as it is.', async () => {
  const { changes } = await planned({ welcomeMessage: credential('8') });
  expect(changes).toMatchObject([{ path: 'settings.welcomeMessage', from: hidden, to: 'Hi' }]);
});

test('A credential inside an extra setting is found by the name of its header.', async () => {
  const crm = { headers: { 'X-Api-Key': 'a1B2c3D4e5F6g7H8' } };
  expect((await planned({ welcomeMessage: 'Hi', crm })).changes).toMatchObject([
    { path: 'extraSettings.crm', from: hidden, to: wanted.extraSettings.crm },
  ]);
});

test('A credential in a nested object of an element is hidden, and the notice names the element.', async () => {
  const app = { appId: 'squareUp', version: 'v1', instructions: 'Take bookings.' };
  const sections = { ...wanted, apps: [app] };
  const crm = { headers: { Accept: 'json' } };
  const apps = [{ ...app, instructions: credential('8') }];
  const { changes, warnings } = await planned({ welcomeMessage: 'Hi', crm, apps }, sections);
  expect(changes).toContainEqual(
    expect.objectContaining({ path: 'apps[squareUp].instructions', from: hidden, to: 'Take bookings.' }),
  );
  expect(warnings).toContainEqual(notice('credential-hidden', { paths: ['apps[squareUp].instructions'] }));
});

test('The digest of a plan differs for another credential, although no plan contains one.', async () => {
  const [one, same, other] = [
    await planned({ welcomeMessage: credential('8') }),
    await planned({ welcomeMessage: credential('8') }),
    await planned({ welcomeMessage: credential('9') }),
  ];
  expect(same).toEqual(one);
  expect(other.digest).not.toBe(one.digest);
  expect(JSON.stringify([one, other])).not.toContain('a1B2');
});

test('A credential that the manifest contains itself is not hidden, because validate reports it.', async () => {
  const settings = { ...wanted.settings, welcomeMessage: `${credential('8')} now` };
  const { changes } = await planned({ welcomeMessage: credential('8') }, { ...wanted, settings });
  expect(changes).toMatchObject([{ from: credential('8'), to: `${credential('8')} now` }]);
});

test('A response with ten thousand credentials and a manifest of four megabytes are planned in little time.', async () => {
  const key = (index: number) => `sk-a${(index * 7919) % 10_000}b1c2d3e4f5${index}`;
  const welcomeMessage = 'Say a few words. '.repeat(240_000);
  const crm = {
    keys: Array.from({ length: 100 }, (_, at) => Array.from({ length: 100 }, (_, n) => key(at * 100 + n)).join(' ')),
  };
  const started = processorMs();
  const { changes } = await planned({ welcomeMessage, crm }, { ...wanted, settings: { title: 'T', welcomeMessage } });
  expect(changes).toMatchObject([{ path: 'extraSettings.crm', from: hidden }]);
  expect(processorMs() - started).toBeLessThan(4_000);
});

test('A plan and its drift say which live values are hidden, and so does the plan of a resource on hold.', async () => {
  const reading = { campaign: campaign({ title: 'Desk', welcomeMessage: credential('8') }) };
  const observation = { desired: desiredAgent(wanted), record, reading };
  const one = await planHidingCredentials(observation, options);
  expect(one.planned.warnings).toContainEqual(typed);
  expect(blockedFor(notice('left-out', {}), one.planned).warnings).toEqual([typed]);
  const freeze = { by: 'mona', since: '2026-11-25T10:00:00Z', reason: 'r' };
  const held = { ...observation, record: { ...record, holds: { freeze } } };
  const { planned: stopped } = await planHidingCredentials(held, options);
  expect(stopped).toMatchObject({ action: 'blocked', warnings: [typed] });
  const limits = { identities: [], orphans: [], limits: { creates: 50 }, sources: new Map() };
  const plan = makePlan({ environment: 'test', selected: [one], ...limits });
  const resources = new Map([['Agent/front-desk', one]]);
  const drift = driftOf({ plan, resources, hasRecords: true, secrecy: options.secrecy });
  expect(drift.resources).toMatchObject([{ status: 'drifted', reasons: [typed] }]);
});

test('Keeping or undoing a hidden edit can be chosen, but no command copies it into the manifest.', async () => {
  const reading = { campaign: campaign({ title: 'T', welcomeMessage: credential('8') }) };
  const observation = { desired: desiredAgent(wanted), record, reading };
  const one = await planHidingCredentials(observation, { ...options, unanswered: 'leave' });
  expect(one.planned.kept).toMatchObject([{ path: 'settings.welcomeMessage', from: hidden, to: 'Hi' }]);
  const [question] = questionsOf({ environment: 'test', resources: [one.planned], requires: [] });
  expect(question).toMatchObject({ kind: 'drift', choices: [{ code: 'keep', isDefault: true }, { code: 'undo' }] });
  expect(question?.choices.map(({ remedies }) => remedies)).toEqual([undefined, undefined]);
});
