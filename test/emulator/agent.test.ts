import { describe, expect, test } from '@jest/globals';
import { serviceAgentAnswer, serviceAgentUpdated } from '../../src/schemas/service-validators.js';
import { campaign, get, minimal, post, postedId, publish, send, start, stateOf } from './emulated.ts';

describe('writing an agent to the emulator', () => {
  test('The first write creates the agent of the account, and later writes update it.', async () => {
    const emulator = await start();
    const created = await post(emulator);
    expect(created).toMatchObject({ status: 200, body: { success: true, message: 'the agent was created' } });
    expect(serviceAgentUpdated(created.body)).toBe(true);
    const updated = await post(emulator, { title: 'Reception' });
    expect(updated.body).toEqual({
      success: true,
      message: 'the agent was updated',
      campaignId: created.body.campaignId,
    });
    expect(await campaign(emulator, String(created.body.campaignId))).toMatchObject({ title: 'Reception' });
  });

  test('Omitted settings keep their value, lists are replaced, and null is stored.', async () => {
    const emulator = await start();
    const id = await postedId(emulator, {
      welcomeMessage: 'Hello',
      links: ['https://a.example', 'https://b.example'],
      agentThinking: 'low',
      heartbeatEvery: '30m',
    });
    await post(emulator, { links: ['https://c.example'], agentThinking: null });
    expect(await campaign(emulator, id)).toMatchObject({
      welcomeMessage: 'Hello',
      links: ['https://c.example'],
      agentThinking: null,
      heartbeatEvery: '30m',
    });
  });

  test('The value of lastUpdate increases with every write, even of the same content in the same millisecond.', async () => {
    const emulator = await start();
    const id = await postedId(emulator);
    const times = [];
    for (let write = 0; write < 20; write += 1) {
      await post(emulator);
      times.push(Number((await campaign(emulator, id)).lastUpdate));
    }
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect(Math.abs(Date.now() - Number(times[0]))).toBeLessThan(60_000);
  });

  test.each<[string, object, string]>([
    ['a missing setting', { title: undefined }, '/title is required'],
    ['a wrong type', { waitOnAnswer: 'long' }, '/waitOnAnswer must be integer'],
    ['a value out of range', { preAnswerRingTime: 61 }, '/preAnswerRingTime must be <= 60'],
    ['a value that is not allowed', { agentLang: 'de-DE' }, '/agentLang must be one of "en-US", "multi"'],
    ['another agent type', { type: 'voiceAgent' }, '/type must be "chatAgent"'],
    ['null where it has no meaning', { welcomeMessage: null }, '/welcomeMessage must be string'],
    ['an incomplete element', { skills: [{ slug: 'a' }] }, '/skills/0/instructions is required'],
    ['an unknown member', { apps: [{ appId: 'a', version: '1', instructions: '', x: 1 }] }, '/apps/0/x is not allowed'],
  ])('An agent with %s is refused with its place and rule, and not written.', async (_name, settings, sentence) => {
    const emulator = await start();
    const refused = await send(emulator, '/api/v2/agent?token=t1', {
      method: 'POST',
      json: { ...minimal, ...settings },
    });
    expect(refused).toMatchObject({
      status: 400,
      body: { success: false, message: expect.stringContaining(sentence) },
    });
    expect(await stateOf(emulator, 'agents')).toEqual([]);
  });
});

describe('reading an agent from the emulator', () => {
  test('Every readable setting is shown, with its default if it is unset, and no other setting.', async () => {
    const emulator = await start();
    const id = await postedId(emulator);
    const { status, body } = await get(emulator, id);
    expect(status).toBe(200);
    expect(serviceAgentAnswer(body)).toBe(true);
    expect(body).toEqual({
      success: true,
      message: 'the agent was read',
      campaign: {
        id,
        title: 'Front desk',
        campaignType: 'chatAgent',
        enabled: true,
        published: false,
        welcomeMessage: null,
        timezone: null,
        agentVoice: null,
        agentLang: 'en-US',
        agentModel: null,
        agentInstructions: null,
        publicInstructions: null,
        adminInstructions: null,
        heartbeatInstructions: null,
        heartbeatEvery: null,
        agentThinking: null,
        links: [],
        activeEventRules: [],
        actions: [],
        skills: [],
        apps: [],
        lastUpdate: expect.any(Number),
      },
    });
  });

  test('Lists are shown with the values that the service calculates.', async () => {
    const emulator = await start({ installedSkills: ['calendar'] });
    const apps = [{ appId: 'squareUp', version: 'v1', instructions: 'Take bookings.' }];
    const skill = (slug: string) => ({ slug, instructions: `Use ${slug}.` });
    const id = await postedId(emulator, { actions: ['hangUp'], apps, skills: [skill('calendar'), skill('billing')] });
    expect(await campaign(emulator, id)).toMatchObject({
      actions: [{ name: 'hangUp', instructions: '', placeholder: '', allowed: true }],
      apps,
      skills: [
        { ...skill('calendar'), allowed: true, usable: true, reason: null },
        { ...skill('billing'), allowed: true, usable: false, reason: 'skill billing is not installed' },
      ],
    });
  });

  test('Unreadable and unknown settings are stored and not shown.', async () => {
    const emulator = await start();
    const hidden = {
      speakingTimeout: 900,
      backgroundAudio: { url: 'https://a.example/x.mp3' },
      futureSetting: { a: 1 },
    };
    const id = await postedId(emulator, hidden);
    const shown = await campaign(emulator, id);
    for (const name of ['description', ...Object.keys(hidden)]) expect(shown).not.toHaveProperty(name);
    expect(await stateOf(emulator, 'agents')).toMatchObject([{ id, draft: { ...minimal, ...hidden } }]);
  });

  test('A read of an unknown agent answers 404.', async () => {
    const emulator = await start();
    expect(await get(emulator, 'camp_none')).toMatchObject({
      status: 404,
      body: { success: false, message: expect.stringContaining('has no agent camp_none') },
    });
  });
});

describe('publishing in the emulator', () => {
  test('A publish copies the draft, and a later write only changes the draft.', async () => {
    const emulator = await start();
    const id = await postedId(emulator);
    const { lastUpdate } = await campaign(emulator, id);
    const published = { status: 200, body: { success: true, message: 'the agent was published' } };
    expect(await publish(emulator)).toMatchObject(published);
    expect(await campaign(emulator, id)).toMatchObject({ published: true, lastUpdate });
    await post(emulator, { title: 'Reception' });
    expect(await campaign(emulator, id)).toMatchObject({ published: true, title: 'Reception' });
    expect(await stateOf(emulator, 'agents')).toMatchObject([{ publishedSettings: { title: 'Front desk' } }]);
  });

  test('A publish without an agent answers 404, and an empty body may be declared as JSON.', async () => {
    const emulator = await start();
    expect((await publish(emulator)).status).toBe(404);
    await post(emulator);
    const headers = { 'content-type': 'application/json' };
    expect((await send(emulator, '/api/v2/agent/publish?token=t1', { method: 'POST', headers })).status).toBe(200);
  });
});
