import { execFileSync } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cli, timed } from './processes.mjs';
import { agents, env } from './projects.mjs';
import { race } from './race.mjs';
import { msRow } from './rows.mjs';

const count = 10_000;
const name = 'agent-0007';

/**
 * Measures a plan of one of many agents with a warm cache. The agent is selected by its name or by its change. Every
 * manifest is cached, and the plan reads one record and sends one GET.
 */
export async function measureOne({ service, folder }) {
  const project = await agents(count, service.baseUrl);
  const options = { env: { ...env('one'), AGENTFORM_CACHE: join(folder, 'cache-of-many') } };
  commitAll(project);
  await timed([cli, 'apply', name, '--yes', '--new', 'all', '--project', project], options);
  await appendFile(join(project, `prompts/${name}.md`), 'Be kind.\n');
  const plan = (...which) => ({ args: [cli, 'plan', ...which, '--project', project], ...options });
  const { uncached } = await race({ uncached: plan(name, '--no-cache') }, 1);
  const times = await race({ named: plan(name), changed: plan('--changed-since', 'HEAD') }, 5);
  return [
    msRow(`plan of one named agent of ${count}, without the cache`, uncached),
    msRow(`plan of one named agent of ${count}`, times.named, { most: 350, megabytes: 200 }),
    msRow(`plan of one changed agent of ${count}`, times.changed, { most: 500, megabytes: 200 }),
  ];
}

function commitAll(project) {
  const git = (...args) =>
    execFileSync('git', ['-C', project, '-c', 'user.name=b', '-c', 'user.email=b@example.com', ...args]);
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'all');
}
