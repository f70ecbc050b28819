import { expect, test } from '@jest/globals';
import { planOffline } from '../../../src/commands/plan/offline.ts';
import { commitAll, gitEnv, initRepository } from '../../support/git.ts';
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
    await commitAll(place.root, 'with errors');
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

test('If agentform.yaml of the base commit has errors, an offline plan compares with the commit before, and says so.', async () => {
  const place = await workplace({ 'agentform.yaml': project, 'agents/a.yaml': agent('a') }, gitEnv);
  try {
    initRepository(place.root);
    const commit = async (text: string) => {
      await place.write('agentform.yaml', text);
      return commitAll(place.root, 'commit');
    };
    await commit('manifests: [[\n');
    const compared = async () => {
      await place.write('agentform.yaml', project);
      const { plan, warnings } = await planOffline(place.host, { project: place.root, names: [], base: 'HEAD' });
      const actions = plan.resources.map(({ action }) => action);
      return { actions, base: plan.offline?.base, warnings: warnings.map(({ message }) => message) };
    };
    const errors = 'agentform.yaml in the base commit has errors';
    const none = `${errors}; no earlier commit has a valid one, so the plan shows all resources as new`;
    expect(await compared()).toMatchObject({ actions: ['create'], warnings: [none] });
    const valid = await commit(project);
    await commit('manifests: [\n');
    await place.write('agents/a.yaml', agent('a', ', agentLang: es-ES'));
    const earlier = `the plan compares with commit ${valid.slice(0, 12)}, the newest earlier commit with a valid one`;
    expect(await compared()).toEqual({ actions: ['update'], base: valid, warnings: [`${errors}; ${earlier}`] });
  } finally {
    await place.remove();
  }
});
