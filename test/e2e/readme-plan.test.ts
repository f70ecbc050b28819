import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { descriptionOf, wordsOfMarkup, wordsOfText } from '../../scripts/pictures/words.mjs';
import { exampleProject } from '../support/cli.ts';
import { startRemote } from '../support/remote.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const root = resolve(import.meta.dirname, '../..');
const inFile = (path: string) => readFile(resolve(root, path));

test('The plan in the README, as text and in pictures, is printed by agentform.', async () => {
  const remote = await startRemote();
  const project = await exampleProject('clinic', { CLINIC_TOKEN: 'tok-clinic' });
  try {
    await project.edit('agentform.yaml', 'https://service.example.com', remote.baseUrl);
    expect(await project.run('apply', '--yes', '--new', 'all', '-e', 'production')).toMatchObject({ code: 0 });
    await project.edit('prompts/front-desk.md', 'A check-up takes 30', 'A check-up takes 40');
    await project.edit('agents/front-desk.yaml', /^ {2}title: .*$/m, '$&\n  callerResponseTimeout: 20');
    const record: { id: string } = JSON.parse(await project.read('.agentform/records/production/Agent/web-chat.json'));
    await remote.dashboard(record.id, { agentVoice: 'warm-2' });
    const { host } = new URL(remote.baseUrl);
    const planned = async (...options: string[]) => {
      const { stdout } = await project.run('plan', '-e', 'production', ...options);
      return stdout.replaceAll(host, 'service.example.com');
    };
    const readme = (await inFile('README.md')).toString();
    const [, shown] = /^\$ agentform plan -e production\n([\s\S]*?)^```$/m.exec(readme) ?? [];
    const anyId = (shownText: string | undefined) =>
      shownText
        ?.replaceAll(/camp_[0-9a-f]+/g, 'camp_ID')
        .replaceAll(/\b\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d UTC/g, 'TIME')
        .replaceAll(/\bon \d{1,2} [A-Z][a-z]{2} \d{4}/g, 'on DAY');
    const text = await planned();
    expect(anyId(shown)).toBe(anyId(text));
    // After a failure, run `npm run pictures` and check the picture.
    const svg = (await inFile('docs/pictures/plan.svg')).toString();
    expect(wordsOfMarkup(svg)).toBe(wordsOfText(`$ agentform plan -e production\n${text}`));
    const page = wordsOfMarkup(await planned('--format', 'html'));
    for (const theme of ['light', 'dark'])
      expect(descriptionOf(await inFile(`docs/pictures/page-${theme}.png`))).toBe(page);
  } finally {
    await project.remove();
    await remote.close();
  }
});
