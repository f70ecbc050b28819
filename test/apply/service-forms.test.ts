import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Json } from '../../src/json/json.ts';
import type { Desired } from '../../src/kinds/desired.ts';
import { secrecyOf } from '../../src/kinds/sensitive.ts';
import { driftOf } from '../../src/plan/drift.ts';
import { sentencesOf } from '../../src/report/notices.ts';
import type { Change } from '../../src/schemas/plan-types.ts';
import { json } from '../support/independent-server.ts';
import { spoken } from '../support/notices.ts';
import { agent } from './agent.ts';
import { applied, isRead, pipeline, recordOf, server, useApplying } from './applying.ts';

useApplying({ client: { retry: { tries: 1 } } });

const prompt = 'settings.agentInstructions';

/** Makes the service change each text in its read responses with `change`. */
function shows(change: (text: string) => string): void {
  server.after = (call, reply) => {
    if (!isRead(call)) return undefined;
    const answer = JSON.parse(reply.body);
    const changed = (value: Json): Json => {
      if (Array.isArray(value)) return value.map(changed);
      return typeof value === 'string' ? change(value) : value;
    };
    for (const name of ['title', 'welcomeMessage', 'agentInstructions', 'agentVoice', 'links']) {
      if (name in answer.campaign) answer.campaign[name] = changed(answer.campaign[name]);
    }
    return json(200, answer);
  };
}

function edit(desired: Desired, settings: Record<string, unknown>): void {
  server.edit(server.agentOf(desired.target.token.reveal())?.id ?? '', settings);
}

async function changesOf(desired: Desired): Promise<readonly Change[]> {
  const [resource] = (await pipeline.plan([desired])).plan.resources;
  return resource?.changes.filter(({ knowledge }) => knowledge === 'compared') ?? [];
}

const escaped = (text: string) =>
  text.replace(/[&<>']/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '&#39;');

describe('a service that stores another value', () => {
  const text = '# Desk\n\nBe kind.\nGive no prices to anybody.\n\n## Emergencies\n\nCall the dentist.';
  const desired = () => agent({ agentInstructions: text });

  test('A shortened text fails the apply, which names the missing part, and remains a change in every later plan.', async () => {
    shows((shown) => shown.slice(0, 30));
    expect(spoken(await applied(desired()))).toMatchObject({
      outcome: 'failed',
      message: expect.stringMatching(/^the service stored another value for settings.agentInstructions/),
      fields: expect.arrayContaining([
        expect.objectContaining({
          path: prompt,
          result: 'another value',
          readBack: '"# Desk\\n\\nBe kind.\\nGive no price"',
          missing: { noun: 'line', count: 3, line: 4, first: '"s to anybody."' },
        }),
      ]),
    });
    const record = await recordOf(desired());
    expect(record?.fields[prompt]).toEqual({ value: text, readBack: text.slice(0, 30) });
    expect(record).not.toHaveProperty('declared');
    for (const _ of [1, 2]) {
      expect(await changesOf(desired())).toMatchObject([
        { op: 'set', path: prompt, cause: 'manifest', from: text.slice(0, 30), to: text },
      ]);
      expect(await applied(desired())).toMatchObject({ outcome: 'failed' });
    }
    const { plan } = await pipeline.plan([desired()]);
    expect(sentencesOf(plan.resources[0]?.warnings ?? []).join()).toContain(
      `the last apply sent ${prompt}, but the service stored another`,
    );
  });

  test('A shortened text is settled once the manifest asks for the stored value.', async () => {
    shows((shown) => shown.slice(0, 30));
    await applied(desired());
    expect(await applied(agent({ agentInstructions: text.slice(0, 30) }))).toMatchObject({ outcome: 'unchanged' });
    expect((await recordOf(desired()))?.fields[prompt]).toEqual({ value: text.slice(0, 30) });
  });

  test('A shortened text is settled without a request once the service shows the sent value.', async () => {
    shows((shown) => shown.slice(0, 30));
    await applied(desired());
    server.after = undefined;
    expect(await applied(desired())).toMatchObject({ outcome: 'unchanged' });
    expect((await recordOf(desired()))?.fields[prompt]).toEqual({ value: text });
  });

  test('An edit of a shortened text is a conflict that can be merged, and never shortens the manifest.', async () => {
    shows((shown) => shown.slice(0, 30));
    await applied(desired());
    server.after = undefined;
    edit(desired(), { agentInstructions: text.slice(0, 30).replace('Desk', 'Front desk') });
    expect(await changesOf(desired())).toMatchObject([{ cause: 'conflict', mergeable: true }]);
  });

  test.each<[string, Record<string, Json>, (shown: string) => string, string]>([
    ['a voice that became the default one', { agentVoice: 'warm-1' }, () => 'standard', 'agentVoice'],
    ['a greeting that was replaced', { welcomeMessage: 'Hi there' }, () => 'Welcome', 'welcomeMessage'],
    ['a link that was changed', { links: ['https://a.example/a'] }, (link) => `${link}/`, 'links'],
  ])('A service that stores another value fails the apply with %s.', async (_what, settings, change, name) => {
    shows((shown) => (shown === 'T' ? shown : change(shown)));
    expect(spoken(await applied(agent(settings)))).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining(`another value for settings.${name}`),
    });
    expect(await changesOf(agent(settings))).toMatchObject([{ path: `settings.${name}`, cause: 'manifest' }]);
  });
});

describe('texts in the form of the service', () => {
  const text = "# Q & A\nA & B.\nC & D.\n\nDon't give prices.";
  const desired = (agentInstructions = text) => agent({ agentInstructions });
  beforeEach(() => shows(escaped));

  test('An escaped text is applied by the named rule, and is not a difference later.', async () => {
    const { outcome, fields } = await applied(desired());
    expect(outcome).toBe('applied');
    expect(fields).toContainEqual({
      path: prompt,
      result: 'normalised',
      readBack: JSON.stringify(escaped(text)),
      rules: ['html-escapes'],
    });
    expect((await recordOf(desired()))?.fields[prompt]).toEqual({
      value: text,
      readBack: escaped(text),
      rules: ['html-escapes'],
    });
    expect(await changesOf(desired())).toEqual([]);
    expect((await applied(agent({ title: 'New', agentInstructions: text }))).fields).toContainEqual({
      path: prompt,
      result: 'stored',
    });
    expect((await recordOf(desired()))?.fields[prompt]).toMatchObject({ rules: ['html-escapes'] });
  });

  test('An escaped text that the service later shows as sent is not a change.', async () => {
    const greeting = (welcomeMessage: string) => agent({ welcomeMessage });
    await applied(greeting('Elm & Oak'));
    shows((shown) => shown);
    const { plan, prepared } = await pipeline.plan([greeting('Elm & Oak')]);
    expect(plan.resources[0]?.changes.filter(({ knowledge }) => knowledge === 'compared')).toEqual([]);
    const { resources } = driftOf({ plan, resources: prepared, hasRecords: true, secrecy: secrecyOf([]) });
    expect(resources[0]?.moves).toMatchObject([
      { path: 'settings.welcomeMessage', lastApplied: 'Elm &amp; Oak', live: 'Elm & Oak', effect: 'wanted already' },
    ]);
  });

  test('An edit of an escaped text shows only the edited line.', async () => {
    await applied(desired());
    edit(desired(), { agentInstructions: text.replace('A & B.', 'A or B.') });
    expect(await changesOf(desired())).toMatchObject([
      { cause: 'drift', from: text.replace('A & B.', 'A or B.'), to: text },
    ]);
    const taken = desired(text.replace('A & B.', 'A or B.'));
    expect(await changesOf(taken)).toEqual([]);
    expect(await applied(taken)).toMatchObject({ outcome: 'applied' });
    expect((await recordOf(taken))?.fields[prompt]).toMatchObject({ rules: ['html-escapes'] });
    expect(await changesOf(taken)).toEqual([]);
  });

  test('An edit of an escaped text can be merged if the manifest changed another line.', async () => {
    await applied(desired());
    edit(desired(), { agentInstructions: text.replace("Don't give", 'Give all') });
    const moved = desired(text.replace('# Q & A', '# Questions & answers'));
    expect(await changesOf(moved)).toMatchObject([
      { cause: 'conflict', mergeable: true, from: text.replace("Don't give", 'Give all'), lastApplied: text },
    ]);
    expect(
      await changesOf(desired(text.replace('# Q & A', '# Questions & answers').replace("Don't give", 'Give all'))),
    ).toMatchObject([{ cause: 'manifest' }]);
  });

  test('An escaped text does not hide an edit that only removes an escape.', async () => {
    const literal = desired('Write &amp; here.\nBye.');
    await applied(literal);
    edit(literal, { agentInstructions: 'Write & here.\nBye.' });
    expect(await changesOf(literal)).toMatchObject([{ path: prompt, cause: 'drift' }]);
  });

  test('An escaped text does not hide a manifest change to the form that the service shows.', async () => {
    await applied(desired('Write & here.'));
    expect(await changesOf(desired('Write &amp; here.'))).toMatchObject([
      { cause: 'manifest', from: 'Write & here.', to: 'Write &amp; here.' },
    ]);
  });

  test('A service that stops escaping texts causes no request, and the record forgets the escaped form.', async () => {
    await applied(desired());
    server.after = undefined;
    expect(await changesOf(desired())).toEqual([]);
    expect(await applied(desired())).toMatchObject({ outcome: 'unchanged' });
    expect((await recordOf(desired()))?.fields[prompt]).toEqual({ value: text });
  });
});

test('Links in standard URL form are not a difference, and an added link is shown alone.', async () => {
  shows((text) => (URL.canParse(text) ? new URL(text).href : text));
  const desired = agent({ links: ['https://Example.com', 'https://example.com/b'] });
  expect((await applied(desired)).fields).toContainEqual(
    expect.objectContaining({ path: 'settings.links', result: 'normalised', rules: ['url'] }),
  );
  expect(await changesOf(desired)).toEqual([]);
  edit(desired, { links: ['https://example.com/', 'https://example.com/b', 'https://example.com/c'] });
  expect(await changesOf(desired)).toMatchObject([
    { cause: 'drift', from: ['https://Example.com', 'https://example.com/b', 'https://example.com/c'] },
  ]);
});
