import { expect, test } from '@jest/globals';
import { parsePath } from '../../src/kinds/field-path.ts';
import { inSchemaOrder } from '../../src/plan/fields/field-changes.ts';

test('Paths are sorted in schema order, by path within a list, unknown ones last and each once.', () => {
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
    paths.map((text) => ({ path: parsePath(text), text })),
    ({ text }) => text,
  );
  expect(ordered.map(({ text }) => text)).toEqual([
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
