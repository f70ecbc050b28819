import { expect, test } from '@jest/globals';
import { planOffline } from '../../../src/commands/plan/offline.ts';
import { git, gitEnv, initRepository } from '../../support/git.ts';
import { workplace } from '../../support/in-process.ts';

const project =
  'apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nenvironments: { local: { baseUrl: emulator } }\n';
const agent = (name: string, more = '') =>
  `apiVersion: agentform/v1\nkind: Agent\nname: ${name}\ntarget: { query: { targetAccountId: ${name} } }\nsettings: { title: T, description: D${more} }\n`;

test('An offline plan shows a resource as new if its manifest has errors at the base commit, and warns.', async () => {
  const files = { 'agentform.yaml': project, 'agents/a.yaml': agent('a', ', titel: X'), 'agents/b.yaml': agent('b') };
  const place = await workplace(files, gitEnv);
  try {
    initRepository(place.root);
    await git(place.root, 'add', '--all');
    await git(place.root, 'commit', '--quiet', '-m', 'with errors');
    await place.write('agents/a.yaml', agent('a'));
    await place.write('agents/b.yaml', agent('b', ', agentLang: es-ES'));
    const { plan, warnings } = await planOffline(place.host, { project: place.root, names: [], base: 'HEAD' });
    expect(warnings).toContainEqual({
      severity: 'warning',
      rule: 'base-unusable',
      message: 'some manifests of the base commit have errors, so the plan shows their resources as new',
    });
    expect(plan.resources.map(({ action }) => action)).toEqual(['create', 'update']);
  } finally {
    await place.remove();
  }
});
