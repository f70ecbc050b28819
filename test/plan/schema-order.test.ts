import { expect, test } from '@jest/globals';
import { inSchemaOrder } from '../../src/plan/differences.ts';

test('paths come in the order of the schema, by path within a list, and last what no schema has; each once', () => {
  const paths = [
    'skills[b]',
    'extraSettings.b',
    'extraSettings.c',
    'settings.agentLang',
    'skills[a].instructions',
    'extraSettings.a',
    'settings.welcomeMessage',
    'settings.title',
    'settings.title',
  ];
  const ordered = inSchemaOrder(
    'Agent',
    paths.map((path) => ({ path })),
  );
  expect(ordered.map(({ path }) => path)).toEqual([
    'settings.title',
    'settings.welcomeMessage',
    'settings.agentLang',
    'skills[a].instructions',
    'skills[b]',
    'extraSettings.a',
    'extraSettings.b',
    'extraSettings.c',
  ]);
});
