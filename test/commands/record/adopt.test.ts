import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { adoptRecord } from '../../../src/commands/record/adopt.ts';
import { renameRecord, showRecord } from '../../../src/commands/record/record.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';
import { startIndependentServer } from '../../support/independent-server.ts';

const head = 'apiVersion: agentform/v1\nkind:';

let place: Workplace;

beforeAll(async () => {
  place = await workplace({
    'agentform.yaml': `${head} Project\nmanifests: ["*/*.yaml"]\nenvironments: { local: { baseUrl: emulator, resellerId: r } }\n`,
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
  [
    'Organization/elm',
    undefined,
    'usage',
    'the id of the organization to adopt is missing; run `agentform record adopt Organization/elm ID -e local`',
  ],
])('An adoption of %s with the id %s is refused.', async (address, id, code, message) => {
  await expect(adoptRecord(place.host, { project: place.root, address, id })).rejects.toMatchObject({ code, message });
});

test('A name alone is refused if manifests or records of two kinds have it, and otherwise finds its kind.', async () => {
  const options = { project: place.root };
  await expect(adoptRecord(place.host, { ...options, address: 'elm', id: '1001' })).rejects.toMatchObject({
    code: 'usage',
    message: 'Agent/elm and Organization/elm have the name elm; name one of them, such as Agent/elm',
  });
  await adoptRecord(place.host, { ...options, address: 'Organization/elm', id: '1001' });
  expect(await showRecord(place.host, { ...options, address: 'elm' })).toMatchObject({ kind: 'Organization' });
  const member = `${head} Member\nname: elm\norganization: elm\nsettings: { email: books@elm.example, role: viewer, sendWelcomeEmail: false }\n`;
  await place.write('agents/member.yaml', member);
  await adoptRecord(place.host, { ...options, address: 'Member/elm' });
  const refusal = {
    code: 'usage',
    message: 'Organization/elm and Member/elm have the name elm; name one of them, such as Organization/elm',
  };
  await expect(showRecord(place.host, { ...options, address: 'elm' })).rejects.toMatchObject(refusal);
  await expect(renameRecord(place.host, { ...options, from: 'elm', to: 'fir' })).rejects.toMatchObject(refusal);

  await place.write('clients/oak.yaml', `${head} Organization\nname: oak\nsettings: { orgName: Oak }\n`);
  await adoptRecord(place.host, { ...options, address: 'oak', id: '1002' });
  const renaming = { ...options, from: 'oak', to: 'ash' };
  expect(await renameRecord(place.host, renaming)).toMatchObject({ record: { kind: 'Organization', name: 'ash' } });
  expect(await renameRecord(place.host, renaming)).toMatchObject({ isUnchanged: true, record: { name: 'ash' } });
  await expect(showRecord(place.host, { ...options, address: 'yew' })).rejects.toMatchObject({
    code: 'record-unknown',
    message: expect.stringMatching(/^yew has no record in the environment local; the environment has /),
  });
});

test('A response with the data of another agent does not confirm the id.', async () => {
  const server = await startIndependentServer();
  const { id } = server.seed('token-1', { type: 'chatAgent', title: 'A', description: 'd' });
  const lying = await workplace(
    {
      'agentform.yaml': `${head} Project\nmanifests: ["*/*.yaml"]\nenvironments: { test: { baseUrl: "${server.baseUrl}", token: "\${secret.TOKEN}" } }\n`,
      'agents/desk.yaml': `${head} Agent\nname: desk\nsettings: { title: T, description: D }\n`,
    },
    { TOKEN: 'token-1' },
  );
  server.after = (_call, reply) => ({ ...reply, body: reply.body.replaceAll(id, 'agent-9') });
  const options = { project: lying.root, address: 'Agent/desk', id };
  await expect(adoptRecord(lying.host, options)).rejects.toMatchObject({
    code: 'adopt-refused',
    message: expect.stringContaining(`A read of agent ${id} returned agent agent-9`),
  });
  server.after = undefined;
  expect(await adoptRecord(lying.host, options)).toMatchObject({ record: { id } });
  await Promise.all([lying.remove(), server.close()]);
});
