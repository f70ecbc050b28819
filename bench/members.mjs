import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pMap from 'p-map';
import { Agent, request } from 'undici';
import { cli, measured, timed } from './processes.mjs';
import { env, fleet, token } from './projects.mjs';
import { msRow, ratioRow } from './rows.mjs';

/** The number of members. A smaller number is enough to try this part out. */
const count = Number(process.env.BENCH_MEMBERS ?? 100_000);
const concurrency = 64;
const most = { megabytes: 1500 };

/**
 * Measures a fleet of a hundred thousand members in one job: a plan without changes, and an apply of a saved plan that
 * changes all members. Each of them runs once.
 */
export async function measureMembers({ service, gets, folder }) {
  const project = await fleet(count, service.baseUrl);
  const options = { env: { ...env('members'), AGENTFORM_CACHE: join(folder, 'cache-members') } };
  const run = (command, ...more) => [cli, command, ...more, '--project', project];
  const all = ['--concurrency', String(concurrency)];
  await timed(run('apply', 'client-1', '--yes', '--new', 'all'), options);
  const agents = await createOthers(project, service.baseUrl);
  const paths = join(folder, 'members.json');
  await writeFile(paths, JSON.stringify(agents.map(pathOf)));
  const first = await measured(run('plan', ...all, '--format', 'json', '--exit-code'), options);
  await service.latency(50);
  const bare = await measured([gets, service.baseUrl, paths, String(concurrency)]);
  const plan = await measured(run('plan', ...all, '--format', 'json', '--exit-code'), options);
  await service.latency(0);
  const saved = join(folder, 'members-plan.json');
  const template = join(project, 'shared/template.yaml');
  await writeFile(template, (await readFile(template, 'utf8')).replace('Thank you for calling', 'Welcome to'));
  const changed = await measured(run('plan', ...all, '--out', saved), options);
  const apply = await measured(run('apply', ...all, '--yes', '--plan', saved), options);
  const what = `plan of ${count} members at 50 ms, beside the bare GETs, with the cache`;
  return [
    msRow(`first plan of ${count} members`, first, most),
    ratioRow(what, plan, { reference: bare, most: 1.15, ...most }),
    msRow(`plan that changes ${count} members, saved`, changed, most),
    msRow(`apply of a saved plan that changes ${count} members`, apply, most),
  ];
}

/**
 * Gives every member an agent and a record like those of the first member, which was applied. Applying all members
 * would take as long as the measurements. Digests and the HMAC differ for each member, so they are left out.
 */
async function createOthers(project, baseUrl) {
  const folder = join(project, '.agentform/records/production/Agent');
  const sample = JSON.parse(await readFile(join(folder, 'client-1.json'), 'utf8'));
  const { declared: _, content: __, hmac: ___, ...record } = sample;
  const settings = Object.entries(record.fields).map(([path, { value }]) => [path.replace('settings.', ''), value]);
  const body = { type: 'chatAgent', ...Object.fromEntries(settings) };
  const dispatcher = new Agent({ connections: concurrency });
  const send = async (path, account, init = {}) => {
    const query = new URLSearchParams({ token: token('members'), targetAccountId: account });
    const answer = await request(`${baseUrl}/api/v2/agent${path}?${query}`, { dispatcher, ...init });
    const json = await answer.body.json();
    if (!json.success) throw new Error(`${path} answered ${answer.statusCode}: ${json.message}`);
    return json;
  };
  await mkdir(folder, { recursive: true });
  const numbers = Array.from({ length: count - 1 }, (_, index) => index + 2);
  const create = async (number) => {
    const account = String(number);
    const headers = { 'content-type': 'application/json' };
    const { campaignId: id } = await send('', account, { method: 'POST', headers, body: ofMember(body, number) });
    const { lastUpdate } = (await send(`/${id}`, account)).campaign;
    const own = { name: `client-${number}`, query: { targetAccountId: account }, id, lastUpdate };
    const text = JSON.stringify({ ...JSON.parse(ofMember(record, number)), ...own }, null, 2);
    await writeFile(join(folder, `client-${number}.json`), `${text}\n`);
    return own;
  };
  const others = await pMap(numbers, create, { concurrency });
  await dispatcher.close();
  return [sample, ...others];
}

/** Copies the first member's JSON, with the cells of another row. */
function ofMember(value, number) {
  return JSON.stringify(value)
    .replaceAll(/\b(Front desk|Clinic|Town) 1\b/g, `$1 ${number}`)
    .replaceAll('+14152000000', `+${14152000000 + number - 1}`);
}

function pathOf({ id, query }) {
  return `/api/v2/agent/${id}?${new URLSearchParams({ token: token('members'), ...query })}`;
}
