import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apply } from '../../../src/commands/apply/apply.ts';
import { rollback } from '../../../src/commands/rollback/rollback.ts';
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

async function applied(title: string): Promise<void> {
  await place.write('manifests/desk.yaml', agent(title));
  await apply(place.host, running());
  await commitAll(place.root, title);
}

beforeAll(async () => {
  const project =
    'apiVersion: agentform/v1\nkind: Project\nmanifests: ["manifests/*.yaml"]\nenvironments: { local: { baseUrl: emulator, resellerId: r } }\n';
  const organization = manifest('Organization', 'acme', 'settings: { orgName: Acme }');
  place = await workplace({ 'agentform.yaml': project, 'manifests/acme.yaml': organization }, gitEnv);
  initRepository(place.root);
  await applied('Good');
  await applied('Bad');
});
afterAll(() => place.remove());

test('A rollback restores an agent in an organization that has no earlier version.', async () => {
  const { ledger } = await rollback(place.host, { ...running(), names: ['*'] });
  expect(ledger.entries.map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ['Organization', 'not attempted'],
    ['Agent', 'applied'],
  ]);
});
