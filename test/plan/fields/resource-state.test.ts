import { expect, test } from '@jest/globals';
import { secrecyOf } from '../../../src/kinds/secrecy.ts';
import { recordedState } from '../../../src/plan/fields/resource-state.ts';
import { agentRecord, campaign, desiredAgent } from '../../support/observations.ts';

test('what was applied last stands for what is live, but for what only a fingerprint tells', () => {
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
