import { expect, test } from '@jest/globals';
import { secrecyOf } from '../../../src/kinds/sensitive.ts';
import { recordedState } from '../../../src/plan/fields/resource-state.ts';
import type { AppliedField } from '../../../src/schemas/record-types.ts';
import { agentRecord, campaign, desiredAgent } from '../../support/observations.ts';

test('Last applied values replace live ones, except values with only a fingerprint.', () => {
  const { fields, ...record } = agentRecord({ 'settings.title': 'Applied', 'settings.description': 'D' });
  const state = recordedState(
    {
      desired: desiredAgent({ settings: { title: 'Wanted', description: 'D', welcomeMessage: 'Hi' } }),
      record: { ...record, fields: { ...fields, 'settings.welcomeMessage': { fingerprint: 'hmac-sha256:x' } } },
      reading: { campaign: campaign({ title: 'Live' }) },
    },
    secrecyOf([]),
  );
  expect(
    state.fields.map(({ text, live, liveIsWanted, readable }) => [
      text,
      live === undefined ? 'absent' : live.value,
      liveIsWanted,
      readable,
    ]),
  ).toEqual([
    ['settings.description', 'D', true, true],
    ['settings.title', 'Applied', false, true],
    ['settings.welcomeMessage', 'absent', false, true],
  ]);
  expect(state.isReadable(['settings', 'description'])).toBe(true);
  expect(state.byPath.get(['settings', 'title'])?.sensitive).toBe(false);
});

test('Last applied values are the sent ones, whatever the service read back.', () => {
  const { fields, ...record } = agentRecord({});
  const texts: Readonly<Record<string, AppliedField>> = {
    'settings.title': { value: ' Applied', readBack: 'Applied', rules: ['white-space'] },
    'settings.welcomeMessage': { value: 'Hello', readBack: 'Hell' },
  };
  const state = recordedState(
    {
      desired: desiredAgent({ settings: { title: 'Wanted', welcomeMessage: 'Hello' } }),
      record: { ...record, fields: { ...fields, ...texts } },
    },
    secrecyOf([]),
  );
  expect(state.fields.map(({ live, liveIsLast, liveIsWanted }) => [live?.value, liveIsLast, liveIsWanted])).toEqual([
    [' Applied', true, false],
    ['Hello', true, true],
  ]);
});
