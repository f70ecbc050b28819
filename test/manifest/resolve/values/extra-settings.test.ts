import { describe, expect, test } from '@jest/globals';
import { loadProject } from '../../../../src/manifest/project/load-project.ts';
import { validateProject } from '../../../../src/manifest/resolve/validate-project.ts';
import { policyOf, policyText } from '../../../support/policies.ts';
import {
  agent,
  makeFolder,
  makeProject,
  projectFile,
  resolve,
  resolveWithValues,
  rowProblems,
  show,
} from '../../temp-project.ts';

const files = {
  'agents/desk.yaml': agent(
    'agentVoice: calm',
    'extends: ../base.yaml\nextraSettings:\n  agentVoice: ${var.clinic}\n  skills: [{ slug: calendar, instructions: { file: ../calendar.md } }]\n  newThing: 1',
  ),
  'base.yaml': 'apiVersion: agentform/v1\nkind: Agent\nextraSettings: { agentLang: xx-XX, agentVoice: base }\n',
  'calendar.md': 'Book.\n',
};

describe('extra settings with a known name', () => {
  test('An extra setting with a known name is sent as that setting, whatever declares it.', async () => {
    const { desired } = await resolve(files);
    expect(desired[0]).toMatchObject({
      sections: {
        settings: { title: 'Desk', agentVoice: 'Elm Street', agentLang: 'xx-XX' },
        skills: [{ slug: 'calendar', instructions: expect.stringMatching(/^Book\./) }],
        extraSettings: { newThing: 1 },
      },
      unvalidated: expect.arrayContaining(['agentVoice', 'agentLang', 'skills']),
    });
    expect(desired[0]?.sections.extraSettings).toEqual({ newThing: 1 });
  });

  test('An extra setting with a known name has the provenance of that setting.', async () => {
    const { provenanceOf, sourceAt } = await resolve(files);
    const declarations = provenanceOf('Agent/desk', ['settings', 'agentVoice'])?.declarations ?? [];
    expect(declarations.map(({ file, yamlPath, sourceValue }) => [file, yamlPath.join('.'), sourceValue])).toEqual([
      ['agents/desk.yaml', 'extraSettings.agentVoice', '${var.clinic}'],
      ['base.yaml', 'extraSettings.agentVoice', 'base'],
      ['agents/desk.yaml', 'settings.agentVoice', 'calm'],
    ]);
    const instructions = ['skills', 'calendar', 'instructions'];
    expect(provenanceOf('Agent/desk', instructions)).toMatchObject({
      include: 'calendar.md',
      declarations: [{ yamlPath: ['extraSettings', ...instructions] }],
    });
    expect(sourceAt('Agent/desk', ['settings', 'agentLang'])).toEqual({ file: 'base.yaml', line: 3 });
  });

  test('An extra setting with a known name is that setting for policies, at its place in the file.', async () => {
    const project = await makeProject({ 'agents/desk.yaml': agent('', 'extraSettings: { agentVoice: wild }') });
    const policies = [await policyOf(policyText('desired.settings.agentVoice == "wild"'))];
    const basePolicies = { policies, broken: [], lost: [], lostSubmodules: [] };
    const { problems } = await validateProject(project, { env: {}, judge: { now: new Date(0), basePolicies } });
    expect(problems.filter(({ severity }) => severity === 'error').map(show)).toEqual([
      'agents/desk.yaml:7:30 policy p of the base commit: It is broken',
    ]);
  });

  test('A policy that reads a known setting under extraSettings is refused.', async () => {
    await expect(policyOf(policyText('desired.extraSettings.agentVoice == "wild"'))).rejects.toThrow(
      "desired.extraSettings.agentVoice is never set; did you mean 'desired.settings.agentVoice'?",
    );
    await expect(policyOf(policyText('desired.extraSettings.skills.size() > 0'))).rejects.toThrow(
      "did you mean 'desired.skills'?",
    );
  });

  test('An extra setting with a known name is that setting for prompt checks, and its allow comments are not sent.', async () => {
    const key = ['xoxb', '123456789012', '1234567890123', 'AbCdEfGhIjKlMnOpQrStUvWx'].join('-');
    const lint = { 'agentform.yaml': `${projectFile}lint: { prompt-secret: error }\n` };
    expect(
      await rowProblems(agent('', `extraSettings: { agentInstructions: "The key is ${key}." }`), lint),
    ).toContainEqual(expect.stringMatching(/^agents\/a\.yaml:7:\d+ .*token/));
    const allowed = 'extraSettings: { agentInstructions: "Call. <!-- agentform-allow prompt-secret -->" }';
    const { desired } = await resolve({ 'agents/a.yaml': agent('', allowed) });
    expect(desired[0]?.sections.settings).toMatchObject({ agentInstructions: 'Call.' });
  });

  test('An extra setting with a known name is that setting for lint rules.', async () => {
    const twice = await rowProblems(agent('', 'extraSettings: { actions: [a, a], title: " " }'));
    expect(twice).toContainEqual(expect.stringContaining('actions contains this item twice'));
    expect(twice).toContainEqual(expect.stringContaining('is blank'));
  });
});

test('A policy sees a text as it is sent, except for the secret.', async () => {
  const text = 'agentInstructions: "Call ${var.clinic}, pin ${secret.PIN}"';
  const folder = makeFolder({ 'agents/desk.yaml': agent(text) });
  const options = { environment: 'local', env: { PIN: '1234' }, allowedSecrets: undefined } as const;
  const views = await Promise.all(
    (['values', 'names'] as const).map(async (secrets) => {
      const { desired, policyView } = await resolveWithValues(await loadProject(folder), { ...options, secrets });
      return desired.map((one) => JSON.stringify(policyView(one)));
    }),
  );
  expect(views[0]?.[0]).toContain('"Call Elm Street, pin ${secret.PIN}"');
  expect(views[1]).toEqual(views[0]);
});
