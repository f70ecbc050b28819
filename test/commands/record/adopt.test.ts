import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { adoptRecord } from '../../../src/commands/record/adopt.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';

let place: Workplace;

beforeAll(async () => {
  const head = 'apiVersion: agentform/v1\nkind:';
  place = await workplace({
    'agentform.yaml': `${head} Project\nmanifests: ["*/*.yaml"]\nenvironments: { local: { baseUrl: emulator } }\n`,
    'agents/desk.yaml': `${head} Agent\nname: desk\ntarget: { agentId: camp_1 }\nsettings: { title: T, description: D }\n`,
    'clients/elm.yaml': `${head} Organization\nname: elm\nsettings: { orgName: Elm }\n`,
    'agents/elm.yaml': `${head} Agent\nname: elm\norganization: elm\nsettings: { title: T, description: D }\n`,
  });
});
afterAll(() => place.remove());

test.each([
  [
    'Agent/desk',
    'camp_2',
    'usage',
    'the manifest of Agent/desk targets agent camp_1, so camp_2 cannot be adopted; change target.agentId first',
  ],
  [
    'Agent/elm',
    'camp_3',
    'record-unknown',
    'Organization/elm has no id yet, so the account of Agent/elm is unknown; adopt or apply Organization/elm first',
  ],
])('An adoption of %s with the id %s is refused.', async (address, id, code, message) => {
  await expect(adoptRecord(place.host, { project: place.root, address, id })).rejects.toMatchObject({ code, message });
});
