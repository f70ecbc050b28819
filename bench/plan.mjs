import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cli, outputOf, peakOf, timed } from './processes.mjs';
import { agents, edited, env, smallAgents, token, withPolicies } from './projects.mjs';
import { race } from './race.mjs';
import { memoryRow, msRow, ratioRow } from './rows.mjs';

const count = 1000;
const concurrency = '32';
const options = ['--concurrency', concurrency, '--project'];
const planArgs = (project) => [cli, 'plan', '--format', 'json', ...options, project];

/** Plans of many unchanged agents, beside a loop that only sends the same requests. */
export async function measurePlan({ service, gets, folder }) {
  const rows = [];
  const projects = [
    { name: 'small', make: smallAgents },
    { name: 'full', make: agents },
  ];
  for (const { name, make } of projects) {
    const project = await make(count, service.baseUrl);
    await applyAll(project, name);
    await expectUnchanged(project, name);
    const paths = await writePaths(project, { file: join(folder, `${name}.json`), name });
    const contenders = {
      bare: { args: [gets, service.baseUrl, paths, concurrency] },
      plan: { args: planArgs(project), env: env(name) },
    };
    rows.push(...(await racesAt(contenders, { service, name })));
    const megabytes = await peakOf(planArgs(project), { env: env(name) });
    rows.push(memoryRow(`peak memory of the plan of ${count} ${name} agents`, { megabytes, aim: 300 }));
  }
  return rows;
}

async function racesAt(contenders, { service, name }) {
  const rows = [];
  for (const { latency, rounds, aim } of [
    { latency: 50, rounds: 5, aim: 1.12 },
    { latency: 0, rounds: 9, aim: 2.5 },
  ]) {
    await service.latency(latency);
    const { plan, bare } = await race(contenders, rounds);
    const what = `plan of ${count} ${name} agents at ${latency} ms, beside the bare GETs`;
    rows.push(ratioRow(what, { ms: plan, reference: bare, aim }));
  }
  await service.latency(0);
  return rows;
}

/** Applies of many agents and plans of many changes, beside a plan without changes. They have no aim. */
export async function measureChanges({ service }) {
  const project = await agents(count, service.baseUrl);
  const create = await applyAll(project, 'changes');
  const unchangedPeak = await peakOf(planArgs(project), { env: env('changes') });
  const { unchanged } = await race({ unchanged: { args: planArgs(project), env: env('changes') } }, 3);
  await edited(project);
  const formats = ['json', 'text', 'markdown'].map((format) => [
    format,
    { args: [cli, 'plan', '--format', format, ...options, project], env: env('changes') },
  ]);
  const changed = await race(Object.fromEntries(formats), 3);
  const peaks = {};
  for (const [format, contender] of formats) peaks[format] = await peakOf(contender.args, contender);
  const update = await applyAll(project, 'changes');
  const row = (what, ms) => ratioRow(`${what}, beside the unchanged plan`, { ms, reference: unchanged });
  return [
    ...Object.entries(changed).map(([format, ms]) => row(`plan of ${count} changed agents as ${format}`, ms)),
    row(`apply that creates ${count} agents`, create),
    row(`apply that updates ${count} agents`, update),
    memoryRow(`peak memory of the plan of ${count} unchanged agents`, { megabytes: unchangedPeak, aim: 300 }),
    ...Object.entries(peaks).map(([format, megabytes]) =>
      memoryRow(`peak memory of the plan of ${count} changed agents as ${format}`, { megabytes, aim: 300 }),
    ),
  ];
}

const many = 10_000;
let manyProject;

/** Ten thousand agents, applied once for all parts: that takes two minutes. */
async function manyApplied(service) {
  if (manyProject !== undefined) return manyProject;
  manyProject = await agents(many, service.baseUrl);
  await applyAll(manyProject, 'scale', many);
  return manyProject;
}

/**
 * What a project of ten thousand agents takes: a plan without changes and the same in four shards, beside the bare loop, each
 * with its memory. The shards run one after the other, as on machines of their own; the slowest counts.
 */
export async function measureScale({ service, gets, folder }) {
  const project = await manyApplied(service);
  const paths = await writePaths(project, { file: join(folder, 'scale.json'), name: 'scale' });
  const shard = [...planArgs(project), '--shard', '1/4'];
  const { plan, bare, part } = await race(
    {
      bare: { args: [gets, service.baseUrl, paths, concurrency] },
      plan: { args: planArgs(project), env: env('scale') },
      part: { args: shard, env: env('scale') },
    },
    3,
  );
  const peaks = [await peakOf(planArgs(project), { env: env('scale') }), await peakOf(shard, { env: env('scale') })];
  return [
    ratioRow(`plan of ${many} full agents at 0 ms, beside the bare GETs`, { ms: plan, reference: bare, aim: 4 }),
    ratioRow(`plan of shard 1/4 of these, beside the whole plan`, { ms: part, reference: plan }),
    memoryRow(`peak memory of the plan of ${many} full agents`, { megabytes: peaks[0], aim: 300 }),
    memoryRow(`peak memory of the plan of shard 1/4 of these`, { megabytes: peaks[1], aim: 300 }),
  ];
}

/** What twenty policies that nothing breaks add to the plan of ten thousand agents: the same plan without them, in turns. */
export async function measurePolicies({ service }) {
  const project = await manyApplied(service);
  const judged = await withPolicies(project, 20);
  const contenders = {
    plan: { args: planArgs(project), env: env('scale') },
    judged: { args: planArgs(judged), env: env('scale') },
  };
  const times = await race(contenders, 3);
  return [msRow(`what 20 policies add to the plan of ${many} full agents`, times.judged - times.plan, 500)];
}

function applyAll(project, name, most = count) {
  return timed([cli, 'apply', '--yes', '--allow-creates', String(most), ...options, project], { env: env(name) });
}

/** A plan that failed early would be fast. */
async function expectUnchanged(project, name) {
  const { summary } = JSON.parse(await outputOf(planArgs(project), { env: env(name) }));
  if (summary.unchanged !== count)
    throw new Error(`the plan is not what is to be measured: ${JSON.stringify(summary)}`);
}

/** The paths of the requests that the plan sends. */
async function writePaths(project, { file, name }) {
  const records = join(project, '.agentform/records/production/Agent');
  const texts = await Promise.all((await readdir(records)).map((path) => readFile(join(records, path), 'utf8')));
  const paths = texts.map((text) => {
    const { id, query } = JSON.parse(text);
    return `/api/v2/agent/${id}?${new URLSearchParams({ token: token(name), ...query })}`;
  });
  await writeFile(file, JSON.stringify(paths));
  return file;
}
