import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { exampleProject } from '../support/cli.ts';
import { startRemote } from '../support/remote.ts';

const readme = resolve(import.meta.dirname, '../../README.md');

test('the plan that the README shows is one that agentform prints', async () => {
  const remote = await startRemote();
  const project = await exampleProject('clinic', { CLINIC_TOKEN: 'tok-clinic' });
  try {
    await project.edit('agentform.yaml', 'https://service.example.com', remote.baseUrl);
    expect(await project.run('apply', '--yes', '-e', 'production')).toMatchObject({ code: 0 });
    await project.edit('prompts/front-desk.md', 'A check-up takes 30', 'A check-up takes 40');
    await project.edit('agents/front-desk.yaml', /^ {2}title: .*$/m, '$&\n  callerResponseTimeout: 20');
    const record: { id: string } = JSON.parse(await project.read('.agentform/records/production/Agent/web-chat.json'));
    await remote.dashboard(record.id, { agentVoice: 'warm-2' });
    const { stdout } = await project.run('plan', '-e', 'production');
    const [, shown] = /^\$ agentform plan -e production\n([\s\S]*?)^```$/m.exec(await readFile(readme, 'utf8')) ?? [];
    const { host } = new URL(remote.baseUrl);
    const anyId = (text: string | undefined) => text?.replaceAll(/camp_[0-9a-f]+/g, 'camp_ID');
    expect(anyId(shown)).toBe(anyId(stdout.replaceAll(host, 'service.example.com')));
  } finally {
    await project.remove();
    await remote.close();
  }
});
