import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/json/json.ts';
import { agentRecord, campaign, desiredAgent, planOf } from '../support/observations.ts';

const a = { slug: 'a', instructions: 'A' };
const b = { slug: 'b', instructions: 'B' };
const recordedA = { 'skills[a].instructions': 'A' };

describe('keyed lists in a plan', () => {
  test('An added element is one change, with its members.', () => {
    expect(changes({ skills: [a, b] }, { skills: [a] }, recordedA)).toEqual([
      { op: 'set', path: 'skills[b]', to: { instructions: 'B' }, cause: 'manifest', knowledge: 'compared' },
    ]);
  });

  test('A removed element that agentform applied is unset.', () => {
    expect(changes({ skills: [a] }, { skills: [a, b] }, { ...recordedA, 'skills[b].instructions': 'B' })).toEqual([
      { op: 'unset', path: 'skills[b]', from: { instructions: 'B' }, cause: 'manifest', knowledge: 'compared' },
    ]);
  });

  test('A changed field of an element is a separate change.', () => {
    expect(changes({ skills: [{ slug: 'a', instructions: 'new' }] }, { skills: [a] }, recordedA)).toEqual([
      { op: 'set', path: 'skills[a].instructions', from: 'A', to: 'new', cause: 'manifest', knowledge: 'compared' },
    ]);
  });

  test('An element that exists only on the service has the cause drift if the list was recorded, and adopt otherwise.', () => {
    const unset = { op: 'unset', path: 'skills[b]', from: { instructions: 'B' }, knowledge: 'compared' };
    expect(changes({ skills: [a] }, { skills: [a, b] }, recordedA)).toEqual([{ ...unset, cause: 'drift' }]);
    expect(changes({ skills: [a] }, { skills: [a, b] }, {})).toEqual([{ ...unset, cause: 'adopt' }]);
    expect(changes({ skills: [] }, { skills: [b] }, { skills: [] })).toEqual([{ ...unset, cause: 'drift' }]);
  });

  test('An element that is missing live is drift.', () => {
    expect(changes({ skills: [a] }, { skills: [] }, recordedA)).toMatchObject([
      { op: 'set', path: 'skills[a]', cause: 'drift' },
    ]);
  });

  test('The order of elements and calculated members do not count as a change.', () => {
    const live = [
      { ...b, allowed: true, usable: true },
      { ...a, reason: 'x' },
    ];
    expect(changes({ skills: [a, b] }, { skills: live }, {})).toEqual([]);
  });

  test('An undeclared list is only emptied if all of its elements were applied.', () => {
    expect(changes({}, { skills: [a] }, recordedA)).toMatchObject([
      { op: 'unset', path: 'skills[a]', cause: 'manifest' },
    ]);
    expect(changes({}, { skills: [a, b] }, recordedA)).toMatchObject([
      { op: 'unset', path: 'skills[a]', cause: 'conflict' },
      { op: 'unset', path: 'skills[b]', cause: 'conflict' },
    ]);
    expect(changes({}, { skills: [] }, recordedA)).toEqual([]);
    expect(changes({}, { skills: [a] }, {})).toEqual([]);
  });

  test('An element with empty instructions that is missing live is still added.', () => {
    expect(changes({ skills: [{ slug: 'a', instructions: '' }] }, { skills: [] }, {})).toMatchObject([
      { op: 'set', path: 'skills[a]' },
    ]);
    expect(
      changes({ skills: [{ slug: 'a', instructions: '' }] }, { skills: [{ slug: 'a', instructions: null }] }, {}),
    ).toEqual([]);
  });

  test('A key with punctuation keeps its identity.', () => {
    const odd = { slug: 'a].b["c', instructions: 'x' };
    const [change] = changes({ skills: [odd] }, { skills: [] }, {});
    expect(change?.path).toBe('skills["a].b[\\"c"]');
    expect(changes({ skills: [odd] }, { skills: [odd] }, { 'skills["a].b[\\"c"].instructions': 'x' })).toEqual([]);
    expect(changes({ skills: [] }, { skills: [odd] }, { 'skills["a].b[\\"c"].instructions': 'x' })).toMatchObject([
      { op: 'unset', cause: 'manifest' },
    ]);
  });
});

describe('apps, whose items the specification does not show', () => {
  const app = { appId: 'pay', version: 'v1', instructions: 'Pay' };
  const recorded = { 'apps[pay].version': 'v1', 'apps[pay].instructions': 'Pay' };

  test('Apps are compared if the response shows them.', () => {
    expect(changes({ apps: [app] }, { apps: [{ ...app, version: 'v2' }] }, recorded)).toMatchObject([
      { op: 'set', path: 'apps[pay].version', from: 'v2', to: 'v1', cause: 'drift', knowledge: 'compared' },
    ]);
  });

  test('Apps are distinguished by all members of an element.', () => {
    const { appId, instructions } = app;
    expect(changes({ apps: [{ appId, instructions }] }, { apps: [] }, { 'apps[pay].version': 'v1' })).toMatchObject([
      { op: 'set', path: 'apps[pay]', cause: 'conflict', to: { instructions: 'Pay' }, lastApplied: { version: 'v1' } },
    ]);
    expect(changes({ apps: [app] }, { apps: [] }, { 'apps[pay].version': 'v1' })).toMatchObject([
      { op: 'set', path: 'apps[pay]', cause: 'conflict' },
    ]);
    expect(changes({ apps: [] }, { apps: [app] }, { 'apps[pay].version': 'v1' })).toMatchObject([
      { op: 'unset', path: 'apps[pay]', cause: 'conflict' },
    ]);
  });

  test('Apps are blind if the live items have no appId.', () => {
    expect(changes({ apps: [app] }, { apps: [{ id: 7 }] }, {})).toMatchObject([
      { op: 'set', path: 'apps[pay]', knowledge: 'blind' },
    ]);
    expect(changes({ apps: [app] }, { apps: [{ id: 7 }] }, recorded)).toEqual([]);
    expect(changes({ apps: [] }, { apps: [{ id: 7 }] }, recorded)).toMatchObject([
      { op: 'unset', path: 'apps[pay]', knowledge: 'blind' },
    ]);
  });

  test('Apps have a blind member if only that member is not shown.', () => {
    const live = { apps: [{ appId: 'pay', version: 'v1' }] };
    expect(changes({ apps: [app] }, live, recorded)).toEqual([]);
    expect(changes({ apps: [{ ...app, instructions: 'New' }] }, live, recorded)).toEqual([
      { op: 'set', path: 'apps[pay].instructions', from: 'Pay', to: 'New', cause: 'manifest', knowledge: 'blind' },
    ]);
    expect(changes({ apps: [app] }, { apps: [{ appId: 'pay' }] }, recorded)).toEqual([]);
    expect(changes({ apps: [app] }, live, {})).toEqual([
      { op: 'set', path: 'apps[pay].instructions', to: 'Pay', cause: 'manifest', knowledge: 'blind' },
    ]);
  });
});

describe('sets in a plan', () => {
  test('Sets compare without order and show whole lists.', () => {
    const settings = { links: ['https://a.example', 'https://b.example'] };
    expect(changes({ settings }, { links: ['https://b.example', 'https://a.example'] }, {})).toEqual([]);
    expect(changes({ settings }, { links: ['https://a.example'] }, {})).toEqual([
      {
        op: 'set',
        path: 'settings.links',
        from: ['https://a.example'],
        to: settings.links,
        cause: 'adopt',
        knowledge: 'compared',
      },
    ]);
  });

  test('Actions are read by name.', () => {
    expect(changes({ settings: { actions: ['x'] } }, { actions: [{ name: 'x', allowed: true }] }, {})).toEqual([]);
  });
});

describe('backgroundAudio', () => {
  const url = 'https://cdn.example.com/a.mp3';
  const recorded = {
    'backgroundAudio.url': url,
    'backgroundAudio.loop': true,
    'backgroundAudio.gain': 0,
    'backgroundAudio.startAfterGreeting': true,
  };

  test('A background audio string equals an object with that url and defaults.', () => {
    expect(changes({ backgroundAudio: url }, {}, recorded)).toEqual([]);
    expect(changes({ backgroundAudio: { url, loop: true } }, {}, recorded)).toEqual([]);
  });

  test('A background audio change is shown for each member.', () => {
    expect(changes({ backgroundAudio: { url, gain: -6 } }, {}, recorded)).toEqual([
      { op: 'set', path: 'backgroundAudio.gain', from: 0, to: -6, cause: 'manifest', knowledge: 'blind' },
    ]);
    expect(changes({ backgroundAudio: url }, {}, { ...recorded, 'backgroundAudio.track': 'bg' })).toEqual([
      { op: 'unset', path: 'backgroundAudio.track', from: 'bg', cause: 'manifest', knowledge: 'blind' },
    ]);
  });

  test('A background audio that is dropped as a whole is released once.', () => {
    expect(changes({}, {}, recorded)).toMatchObject([{ op: 'release', path: 'backgroundAudio', cause: 'manifest' }]);
  });
});

describe('extra settings in a plan', () => {
  test('Extra settings are compared if the read shows their name, and otherwise blind.', () => {
    expect(changes({ extraSettings: { newThing: 1 } }, { newThing: 1 }, {})).toEqual([]);
    expect(changes({ extraSettings: { newThing: 1 } }, { newThing: 2 }, {})).toMatchObject([
      { path: 'extraSettings.newThing', from: 2, knowledge: 'compared' },
    ]);
    expect(changes({ extraSettings: { newThing: 1 } }, {}, {})).toMatchObject([
      { path: 'extraSettings.newThing', knowledge: 'blind' },
    ]);
    expect(changes({ extraSettings: { actions: ['x'] } }, { actions: [{ name: 'x' }] }, {})).toEqual([]);
  });

  test('Extra settings that are dropped return to the default of the setting or are released.', () => {
    expect(changes({}, { agentLang: 'es-US' }, { 'extraSettings.agentLang': 'es-US' })).toMatchObject([
      { op: 'unset', to: 'en-US' },
    ]);
    expect(changes({}, { newThing: 1 }, { 'extraSettings.newThing': 1 })).toMatchObject([{ op: 'release' }]);
  });
});

function changes(sections: JsonObject, live: Record<string, unknown>, recorded: Record<string, unknown>) {
  return planOf({
    desired: desiredAgent(sections),
    record: agentRecord(recorded),
    reading: { campaign: campaign(live) },
  }).changes;
}
