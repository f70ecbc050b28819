import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/json/json.ts';
import { makePlan } from '../../src/plan/plan.ts';
import { type ChangeSources, type PlannedResource, withSources } from '../../src/plan/resource-plan.ts';
import { agentRecord, campaign, desiredAgent, plannedOf } from '../support/observations.ts';

const nothing: ChangeSources = { sourceAt: () => undefined, variablesAt: () => new Map() };

function edited(settings: JsonObject, sensitive: readonly string[] = []): PlannedResource {
  return plannedOf({
    desired: desiredAgent({ settings }, { name: 'desk', sensitive: new Set(sensitive) }),
    record: agentRecord({ 'settings.title': 'Old' }, { name: 'desk' }),
    reading: { campaign: campaign({ title: 'Old' }) },
  });
}

test('Each change has a source, which no digest covers.', () => {
  const sourceAt: ChangeSources['sourceAt'] = (address, path, before) =>
    path[1] === 'title' ? { file: `${address} ${path.join(' ')} ${before}`, line: 7 } : undefined;
  const without = edited({ title: 'New', welcomeMessage: 'Hi' });
  const made = withSources(without, { ...nothing, sourceAt });
  const source = { file: 'Agent/desk settings title Old', line: 7 };
  expect(made.planned.changes.map(({ path, source: from }) => [path, from])).toEqual([
    ['settings.title', source],
    ['settings.welcomeMessage', undefined],
  ]);
  expect(made.changes.map(({ change }) => change)).toEqual(made.planned.changes);
  const digestOf = (selected: PlannedResource) =>
    makePlan({
      environment: 'test',
      selected: [selected],
      identities: [],
      orphans: [],
      limits: { creates: 0 },
      sources: new Map(),
    }).digest;
  expect(digestOf(made)).toBe(digestOf(without));
});

test('Changes that a hold prevents have sources, too.', () => {
  const held = { by: 'mkr', since: '2026-11-20T10:00:00.000Z', reason: 'callers complain' };
  const planned = plannedOf({
    desired: desiredAgent({ settings: { title: 'New' } }, { name: 'desk' }),
    record: { ...agentRecord({ 'settings.title': 'Old' }, { name: 'desk' }), holds: { freeze: held } },
    reading: { campaign: campaign({ title: 'Old' }) },
  });
  const sourceAt: ChangeSources['sourceAt'] = () => ({ file: 'agents/desk.yaml', line: 7 });
  expect(withSources(planned, { ...nothing, sourceAt }).planned).toMatchObject({
    action: 'blocked',
    changes: [],
    prevented: { changes: [{ path: 'settings.title', to: 'New', source: { file: 'agents/desk.yaml', line: 7 } }] },
  });
});

test('A resource without changes gets no sources.', () => {
  const same = edited({ title: 'Old' });
  expect(withSources(same, nothing)).toBe(same);
});

describe('variables in the changes', () => {
  const variablesAt: ChangeSources['variablesAt'] = (address, path) =>
    new Map(path[1] === 'title' ? [['clinic', `Elm of ${address}`]] : [['phone', '555']]);

  test('The variables in the changes are listed by name with their values.', () => {
    const { planned } = withSources(edited({ title: 'New', welcomeMessage: 'Hi' }), { ...nothing, variablesAt });
    expect(planned.variables).toEqual({ clinic: 'Elm of Agent/desk', phone: '555' });
  });

  test('The variables in the changes omit those of a masked value.', () => {
    const hidden = edited({ title: 'New', welcomeMessage: 'secret' }, ['/settings/welcomeMessage']);
    const { planned } = withSources(hidden, { ...nothing, variablesAt });
    expect(planned.variables).toEqual({ clinic: 'Elm of Agent/desk' });
  });

  test('The variables in the changes omit literal references in a text.', () => {
    const { planned } = withSources(edited({ title: 'Say ${var.clinic}' }), { ...nothing, variablesAt });
    expect(planned.variables).toEqual({});
  });

  test('The variables in the changes are absent if there are none.', () => {
    const { planned } = withSources(edited({ title: 'New' }), nothing);
    expect(planned).not.toHaveProperty('variables');
  });
});
