import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { history } from '../../../src/commands/history/history.ts';
import { recordPath, recordText } from '../../../src/record/record-text.ts';
import { gitEnv, gitInTurn, initRepository } from '../../support/git.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';

let place: Workplace;

const versions = 40;
const length = 4_000_000;

beforeAll(async () => {
  place = await workplace({
    'agentform.yaml':
      'apiVersion: agentform/v1\nkind: Project\nmanifests: [agents/*.yaml]\nenvironments: { test: { baseUrl: https://a.example } }\n',
  });
  initRepository(place.root);
  const key = { environment: 'test', kind: 'Agent', name: 'desk' };
  for (let version = 0; version < versions; version += 1) {
    const appliedAt = new Date(Date.UTC(2026, 0, 1, version)).toISOString();
    const fields = { 'settings.agentInstructions': { value: String(version % 10).repeat(length) } };
    const about = { host: 'a.example', query: {}, credentials: {}, appliedAt, event: 'apply' as const, fields };
    await place.write(recordPath(key), recordText({ formatVersion: 1, ...key, ...about }));
    await gitInTurn(place.root, ['add', '--all'], ['commit', '--quiet', '-m', `${version}`]);
  }
});
afterAll(() => place.remove());

test('A history that needs too much memory is refused, and --since shortens it.', async () => {
  const host = { ...place.host, env: gitEnv };
  const options = { project: place.root, environment: 'test', names: [] };
  await expect(history(host, options)).rejects.toMatchObject({
    code: 'usage',
    message: 'this history has more than 300,000,000 characters; to shorten it, name resources or use --since',
  });
  expect((await history(host, { ...options, since: '2026-01-02T12:00Z' })).entries).toHaveLength(4);
});
