import { describe, expect, test } from '@jest/globals';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import { makeFolder, show } from '../temp-project.ts';

const projectWith = (...patterns: string[]) =>
  `apiVersion: agentform/v1\nkind: Project\nmanifests: ${JSON.stringify(patterns)}\nenvironments: { local: { baseUrl: emulator } }\n`;

describe('the manifests of a project', () => {
  test('A search for manifests that takes too long ends with a problem.', async () => {
    const names = Array.from({ length: 120 }, (_, index) => [`agents/${'a'.repeat(240)}${index}`, '']);
    const patterns = Array.from({ length: 100 }, (_, index) => `agents/*${'a'.repeat(100)}b${index}`);
    const root = makeFolder({ 'agentform.yaml': projectWith(...patterns), ...Object.fromEntries(names) });
    const { problems } = await loadProject(root);
    expect(problems.map(show)[0]).toContain('which cannot be searched: matching the patterns takes too long');
  });
});
