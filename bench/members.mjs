import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cli, measured, timed } from './processes.mjs';
import { env, fleet, token } from './projects.mjs';
import { race } from './race.mjs';
import { msRow, ratioRow } from './rows.mjs';

const count = 100_000;
const concurrency = '64';
const most = { megabytes: 1500 };

/** A fleet of a hundred thousand members in one job: a plan of all, unchanged, and an apply of a saved plan that changes them all. */
export async function measureMembers({ service, gets, folder }) {
  const project = await fleet(count, service.baseUrl);
  const options = { env: { ...env('members'), AGENTFORM_CACHE: join(folder, 'cache-members') } };
  const run = (command, ...more) => [cli, command, '--concurrency', concurrency, ...more, '--project', project];
  await timed(run('apply', '--yes', '--new', 'all', '--allow-creates', String(count)), options);
  const paths = join(folder, 'members.json');
  await writeFile(paths, JSON.stringify(await pathsOf(project)));
  await service.latency(50);
  const { plan, bare } = await race(
    {
      bare: { args: [gets, service.baseUrl, paths, concurrency] },
      plan: { args: run('plan', '--format', 'json'), ...options },
    },
    2,
  );
  await service.latency(0);
  const saved = join(folder, 'members-plan.json');
  const template = join(project, 'shared/template.yaml');
  await writeFile(template, (await readFile(template, 'utf8')).replace('Thank you for calling', 'Welcome to'));
  await timed(run('plan', '--out', saved), options);
  const apply = await measured(run('apply', '--yes', '--plan', saved), options);
  const what = `plan of ${count} members at 50 ms, beside the bare GETs, with the cache`;
  return [
    ratioRow(what, plan, { reference: bare, most: 1.15, ...most }),
    msRow(`apply of a saved plan that changes ${count} members`, apply, most),
  ];
}

/** The paths of the requests that the plan sends, one record after the other: all at a time are too many open files. */
async function pathsOf(project) {
  const paths = [];
  for (let member = 1; member <= count; member += 1) {
    const file = join(project, `.agentform/records/production/Agent/client-${member}.json`);
    const { id, query } = JSON.parse(await readFile(file, 'utf8'));
    paths.push(`/api/v2/agent/${id}?${new URLSearchParams({ token: token('members'), ...query })}`);
  }
  return paths;
}
