import { describe, expect, test } from '@jest/globals';
import { loadProject } from '../../../../src/manifest/project/load-project.ts';
import { resolveProject } from '../../../../src/manifest/resolve/resolve-project.ts';
import type { Declaration, Provenance } from '../../../../src/manifest/resolve/values/provenance.ts';
import { agent, type Files, makeFolder, resolve } from '../../temp-project.ts';

async function provenance(files: Files, path: readonly string[], environment = 'local'): Promise<Provenance> {
  const { provenanceOf, problems } = await resolve(files, { environment, env: { AGENT_TOKEN: 'token-0' } });
  const found = provenanceOf('Agent/desk', path);
  if (found === undefined) throw new Error(JSON.stringify(problems));
  return found;
}

function shown({ file, environment, at, sourceValue }: Declaration): string {
  return `${file}:${at.line}${environment === undefined ? '' : ` in ${environment}`} ${JSON.stringify(sourceValue)}`;
}

const base = `apiVersion: agentform/v1
kind: Agent
settings:
  agentVoice: base
skills:
  - { slug: calendar, instructions: base }
environments:
  local: { settings: { agentVoice: base of local } }
`;
const far = 'apiVersion: agentform/v1\nkind: Agent\nsettings: { agentVoice: far, timezone: UTC }\n';

describe('the provenance of a field', () => {
  const files = {
    'shared/far.yaml': far,
    'shared/base.yaml': base.replace('settings:', 'extends: far.yaml\nsettings:'),
    'agents/a.yaml': agent(
      'agentVoice: own',
      'extends: ../shared/base.yaml\nenvironments:\n  production: { settings: { agentVoice: production } }\n  local: {}\nskills:\n  - slug: calendar\n    instructions: { file: ../p.md }',
    ),
    'p.md': 'At ${var.clinic}, $${x}, ${var.clinic}.',
  };

  test('The provenance of a field lists every layer, the effective one first.', async () => {
    const { declarations, files: chain } = await provenance(files, ['settings', 'agentVoice']);
    expect(chain).toEqual(['agents/a.yaml', 'shared/base.yaml', 'shared/far.yaml']);
    expect(declarations.map(shown)).toEqual([
      'shared/base.yaml:9 in local "base of local"',
      'agents/a.yaml:7 "own"',
      'shared/base.yaml:5 "base"',
      'shared/far.yaml:3 "far"',
    ]);
    expect(declarations[0]?.yamlPath).toEqual(['environments', 'local', 'settings', 'agentVoice']);
    const production = await provenance(files, ['settings', 'agentVoice'], 'production');
    expect(production.declarations.map(shown)[0]).toBe('agents/a.yaml:10 in production "production"');
  });

  test('The provenance of a list element is found by its key, and an included text names its file and variables.', async () => {
    const found = await provenance(files, ['skills', 'calendar', 'instructions']);
    expect(found.declarations.map(shown)).toEqual(['agents/a.yaml:14 {"file":"../p.md"}', 'shared/base.yaml:7 "base"']);
    expect(found).toMatchObject({
      include: 'p.md',
      raw: 'At ${var.clinic}, $${x}, ${var.clinic}.',
      variables: [{ name: 'clinic', text: 'Elm Street' }],
    });
  });

  test('The provenance finds a key that is made of a variable.', async () => {
    const found = await provenance(
      { 'agents/a.yaml': agent('', 'skills: [{ slug: "s-${var.wait}", instructions: i }]') },
      ['skills', 's-500', 'instructions'],
    );
    expect(found.declarations[0]?.yamlPath).toEqual(['skills', 's-${var.wait}', 'instructions']);
  });

  test('The provenance treats a shorthand as its member, and hides the object of farther layers.', async () => {
    const audio = {
      ...files,
      'shared/base.yaml': `${base}backgroundAudio: { url: https://a.example/b.mp3, gain: 3 }\n`,
    };
    const own = {
      ...audio,
      'agents/a.yaml': `${agent('', 'extends: ../shared/base.yaml')}backgroundAudio: https://a.example/a.mp3\n`,
    };
    const url = await provenance(own, ['backgroundAudio', 'url']);
    expect(url.declarations.map(shown)).toEqual(['agents/a.yaml:8 "https://a.example/a.mp3"']);
    expect((await provenance(own, ['backgroundAudio', 'gain'])).declarations).toEqual([]);
  });

  test('The provenance reports a value behind an alias at its own place, with its value.', async () => {
    const { declarations } = await provenance(
      { 'agents/a.yaml': agent('welcomeMessage: &hello Hi\npublicInstructions: *hello') },
      ['settings', 'publicInstructions'],
    );
    expect(declarations.map(shown)).toEqual(['agents/a.yaml:8 "Hi"']);
  });

  test('The provenance of an unselected resource is unknown.', async () => {
    const project = await loadProject(makeFolder(files));
    const resolution = await resolveProject(project, {
      environment: 'local',
      secrets: 'names',
      env: {},
      select: () => false,
    });
    expect(resolution.provenanceOf('Agent/desk', ['settings', 'title'])).toBeUndefined();
  });
});
