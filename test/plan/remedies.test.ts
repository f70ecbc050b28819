import { expect, test } from '@jest/globals';
import { conflictNotice } from '../../src/plan/decisions.ts';
import { settlingSentence } from '../../src/report/notices.ts';

const agent = { kind: 'Agent', name: 'front-desk' };

test.each<[string, string[], string]>([
  ['a setting', ['settings.title'], 'settings.title'],
  ['an element, whose brackets a shell would read', ['skills[calendar]'], "'skills[calendar]'"],
  ['a path with a space at its end', ['settings.a '], "'settings.a '"],
  ['a path with a space at its beginning', [' settings.a'], "' settings.a'"],
  ['a path with a quote', ["skills[it's]"], "'skills[it'\\''s]'"],
  ['several settings, of which the reader picks one', ['settings.title', 'settings.timezone'], 'PATH'],
])('A conflict of %s names both commands.', (_name, paths, field) => {
  expect(
    settlingSentence(
      conflictNotice(
        'production',
        agent,
        paths.map((path) => ({ path })),
      ),
    ),
  ).toBe(
    'To keep the value in the files and drop the dashboard edit, run `agentform apply --overwrite Agent/front-desk -e production`. ' +
      `To keep the dashboard edit and replace the value in the files, run \`agentform update front-desk --field ${field} -e production\``,
  );
});

test('A conflict in different lines of a text names the command that merges.', () => {
  const merging = { path: 'settings.agentInstructions', mergeable: true } as const;
  expect(settlingSentence(conflictNotice('production', agent, [merging]))).toBe(
    'To merge the dashboard edits into the files, run `agentform update front-desk -e production`',
  );
  expect(settlingSentence(conflictNotice('production', agent, [merging, { path: 'settings.title' }]))).toBe(
    'To merge what does not overlap, run `agentform update front-desk -e production`. ' +
      'To keep the value in the files and drop the dashboard edit, run `agentform apply --overwrite Agent/front-desk -e production`. ' +
      'To keep the dashboard edit and replace the value in the files, run `agentform update front-desk --field settings.title -e production`',
  );
});
