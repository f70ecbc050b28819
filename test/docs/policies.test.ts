import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { validate } from '../../src/commands/validate/validate.ts';
import { workplace } from '../support/in-process.ts';
import { change, type Judged, judged, policyOf, updateOf } from '../support/policies.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/policies.md'), 'utf8');
const texts = new Map(
  [...page.matchAll(/^```yaml\n(apiVersion[\s\S]*?)^```$/gm)].map(([, text = '']) => [
    /^name: (.*)$/m.exec(text)?.[1] ?? '',
    text,
  ]),
);

const settings = (members: Readonly<Record<string, unknown>>): Judged => ({ desired: { settings: members } });
const labelled = (labels: Readonly<Record<string, string>>, agentLang = 'en-US'): Judged => ({
  resources: [updateOf([change('settings.title')], { labels })],
  desired: { labels, settings: { agentLang } },
});
const updates = (count: number): Judged => ({
  resources: Array.from({ length: count }, (_, index) => updateOf([change('settings.title')], { name: `a-${index}` })),
});
const transferRules = (to: string): Judged => ({ desired: { transferRules: { cnamAutoTransferDestination: to } } });
const protectedAgent = (path: string, knowledge: 'blind' | 'compared'): Judged => ({
  resources: [updateOf([change(path, { knowledge })], { name: 'hotline-2' })],
});

/** For each policy, changes that break the policy and changes that do not. */
const samples: Readonly<Record<string, { readonly broken: readonly Judged[]; readonly kept: readonly Judged[] }>> = {
  'recording-in-the-us': {
    broken: [{ ...labelled({ country: 'us' }), desired: { settings: { autoRecordingNotification: 'false' } } }],
    kept: [{ ...labelled({ country: 'de' }), desired: { settings: { autoRecordingNotification: 'false' } } }],
  },
  'recording-notice': {
    broken: [settings({}), settings({ autoRecordingNotification: 'false' })],
    kept: [settings({ autoRecordingNotification: 'true' })],
  },
  'no-numbers-in-prompts': {
    broken: [settings({ agentInstructions: 'Call +1 (415) 555-0100.' }), settings({ agentInstructions: '4155550100' })],
    kept: [settings({ agentInstructions: 'Open 9-17, room 4711.' }), settings({})],
  },
  'transfer-destinations': { broken: [transferRules('ext:300')], kept: [transferRules('ext:100'), settings({})] },
  'language-matches': {
    broken: [labelled({ country: 'mx' }), labelled({ country: 'us' }, 'es-MX')],
    kept: [labelled({ country: 'us' }), labelled({ country: 'mx' }, 'es-MX'), labelled({ country: 'fr' }, 'es-ES')],
  },
  'prompt-length': {
    broken: [settings({ agentInstructions: 'x'.repeat(8001) }), settings({ agentInstructions: 'x'.repeat(20_001) })],
    kept: [settings({ agentInstructions: 'x'.repeat(8000) })],
  },
  'few-changes': { broken: [updates(21)], kept: [updates(20)] },
  'holiday-freeze': {
    broken: [{ ...updates(1), now: '2026-12-24T12:00:00Z' }],
    kept: [
      { ...updates(1), now: '2027-01-04T00:00:00Z' },
      { resources: [], now: '2026-12-24T12:00:00Z' },
    ],
  },
  'canary-on-fridays': {
    broken: [{ ...labelled({ ring: 'wide' }), now: '2026-11-27T12:00:00Z' }],
    kept: [
      { ...labelled({ ring: 'canary' }), now: '2026-11-27T12:00:00Z' },
      { ...labelled({ ring: 'wide' }), now: '2026-11-26T12:00:00Z' },
    ],
  },
  'protected-agents': {
    broken: [
      protectedAgent('transferRules.cnamAutoTransferDestination', 'blind'),
      { resources: [updateOf([], { name: 'emergency', action: 'forget' })] },
    ],
    kept: [
      protectedAgent('transferRules.cnamAutoTransferDestination', 'compared'),
      protectedAgent('settings.title', 'blind'),
    ],
  },
  'required-labels': {
    broken: [labelled({}), labelled({ owner: 'ops' })],
    kept: [labelled({ owner: 'ops', ring: 'wide' })],
  },
};

test('The page of policies has ten policies to copy besides the first.', () => {
  expect([...texts.keys()]).toEqual(Object.keys(samples));
  expect(texts.size).toBe(11);
});

const project = `apiVersion: agentform/v1
kind: Project
manifests: [agents/*.yaml, policies/*.yaml]
environments: { production: { baseUrl: emulator } }
`;
const agent = `apiVersion: agentform/v1
kind: Agent
name: desk
labels: { owner: ops, ring: canary, country: us }
settings: { title: Desk, description: d, agentLang: en-US, autoRecordingNotification: "true" }
`;

test('All policies of the page work together in one project, each in a file of its name.', async () => {
  const files = [...texts].map(([name, text]) => [`policies/${name}.yaml`, text]);
  const place = await workplace({
    'agentform.yaml': project,
    'agents/desk.yaml': agent,
    ...Object.fromEntries(files),
  });
  expect((await validate(place.host, { project: place.root })).problems).toEqual([]);
  await place.write('agents/desk.yaml', agent.replace('"true"', '"false"'));
  const { problems } = await validate(place.host, { project: place.root });
  expect(problems.map(({ message }) => /^policy ([\w-]+)/.exec(message)?.[1])).toEqual([
    'recording-in-the-us',
    'recording-notice',
  ]);
  await place.remove();
});

test('Each rule of the prompt-length policy is checked.', async () => {
  const policies = [await policyOf(texts.get('prompt-length') ?? '')];
  const verdicts = (size: number) => judged(policies, settings({ agentInstructions: 'x'.repeat(size) })).verdicts;
  expect([8000, 8001, 20_001].map((size) => verdicts(size).map(({ level }) => level))).toEqual([
    [],
    ['warn'],
    ['warn', 'deny'],
  ]);
});

test.each(Object.entries(samples))(
  'The policy %s finds its bad samples and passes the good ones.',
  async (name, { broken, kept }) => {
    const policies = [await policyOf(texts.get(name) ?? '')];
    for (const sample of broken)
      expect({ sample, broken: judged(policies, sample).verdicts.length > 0 }).toEqual({ sample, broken: true });
    for (const sample of kept) expect(judged(policies, sample).verdicts).toEqual([]);
  },
);
