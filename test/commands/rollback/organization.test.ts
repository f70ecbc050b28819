import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apply } from '../../../src/commands/apply/apply.ts';
import { rollback } from '../../../src/commands/rollback/rollback.ts';
import { update } from '../../../src/commands/update/update.ts';
import { commitAll, gitEnv, initRepository } from '../../support/git.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';

let place: Workplace;

const manifest = (kind: string, name: string, rest: string) =>
  `apiVersion: agentform/v1\nkind: ${kind}\nname: ${name}\n${rest}\n`;
const agent = (title: string) =>
  manifest('Agent', 'desk', `organization: acme\nsettings: { title: ${title}, description: D }`);
const running = () => ({
  project: place.root,
  names: [],
  concurrency: 1,
  signal: new AbortController().signal,
  confirm: async () => true,
});

const numberOf = (number: string) => manifest('PhoneNumber', 'main', `agent: desk\nsettings: { number: "${number}" }`);

async function applied(title: string, number: string): Promise<void> {
  await place.write('manifests/desk.yaml', agent(title));
  await place.write('manifests/main.yaml', numberOf(number));
  await apply(place.host, running());
  await commitAll(place.root, title);
}

beforeAll(async () => {
  const project =
    'apiVersion: agentform/v1\nkind: Project\nmanifests: ["manifests/*.yaml"]\nenvironments: { local: { baseUrl: emulator, resellerId: r } }\n';
  const organization = manifest('Organization', 'acme', 'settings: { orgName: Acme }');
  place = await workplace({ 'agentform.yaml': project, 'manifests/acme.yaml': organization }, gitEnv);
  initRepository(place.root);
  await applied('Good', '+13125550142');
  await applied('Bad', '+13125550143');
});
afterAll(() => place.remove());

test('A rollback restores resources of an organization that has no earlier version, and update copies their values.', async () => {
  const { ledger } = await rollback(place.host, { ...running(), names: ['*'] });
  expect(ledger.entries.map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ['Organization', 'not attempted'],
    ['Agent', 'applied'],
    ['PhoneNumber', 'applied'],
  ]);
  const options = { ...running(), names: ['main'], fields: [], dryRun: false };
  await expect(update(place.host, options)).resolves.toMatchObject({
    resources: [{ name: 'main', refused: [], updated: [{ path: 'settings.number', to: '+13125550142' }] }],
  });
  expect(await place.read('manifests/main.yaml')).toBe(numberOf('+13125550142'));
});
