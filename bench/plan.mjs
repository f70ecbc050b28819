import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cli, measured, outputOf } from './processes.mjs';
import { agents, edited, env, smallAgents, token, withPolicies } from './projects.mjs';
import { race } from './race.mjs';
import { msRow, ratioRow } from './rows.mjs';

const count = 1000;
const concurrency = '32';
const options = ['--concurrency', concurrency, '--project'];
const planArgs = (project) => [cli, 'plan', '--format', 'json', ...options, project];

/**
 * Measures plans of many unchanged agents, with and without a cache. The reference is a loop that only sends the same
 * requests.
 */
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
      cold: { args: planArgs(project), env: env(name) },
      warm: { args: planArgs(project), env: { ...env(name), AGENTFORM_CACHE: join(folder, `cache-${name}`) } },
    };
    rows.push(...(await racesAt(contenders, { service, name })));
  }
  return rows;
}

async function racesAt(contenders, { service, name }) {
  const rows = [];
  for (const { latency, rounds, aims } of [
    { latency: 50, rounds: 5, aims: { cold: 1.3, warm: 1.1 } },
    { latency: 0, rounds: 7, aims: { cold: 6, warm: 2 } },
  ]) {
    await service.latency(latency);
    const { cold, warm, bare } = await race(contenders, rounds);
    const what = `plan of ${count} ${name} agents at ${latency} ms, beside the bare GETs`;
    rows.push(ratioRow(what, cold, { reference: bare, most: aims.cold, megabytes: 300 }));
    rows.push(ratioRow(`${what}, with the cache`, warm, { reference: bare, most: aims.warm, megabytes: 300 }));
  }
  await service.latency(0);
  return rows;
}

/**
 * Measures applies of many agents and plans of many changes. The reference is a plan without changes. There are no
 * aims.
 */
export async function measureChanges({ service }) {
  const project = await agents(count, service.baseUrl);
  const create = await applyAll(project, 'changes');
  const { unchanged } = await race({ unchanged: { args: planArgs(project), env: env('changes') } }, 3);
  await edited(project);
  const changed = await race(
    Object.fromEntries(formats.map((format) => [format, planAs(format, project, 'changes')])),
    3,
  );
  const update = await applyAll(project, 'changes');
  const row = (what, one) => ratioRow(`${what}, beside the unchanged plan`, one, { reference: unchanged });
  return [
    msRow(`plan of ${count} unchanged agents`, unchanged),
    ...Object.entries(changed).map(([format, one]) => row(`plan of ${count} changed agents as ${format}`, one)),
    row(`apply that creates ${count} agents`, create),
    row(`apply that updates ${count} agents`, update),
  ];
}

const formats = ['json', 'text', 'markdown', 'html'];

function planAs(format, project, name) {
  return { args: [cli, 'plan', '--format', format, ...options, project], env: env(name) };
}

const many = 10_000;
let manyAgents;

/**
 * Limits for V8's old generation in MB. V8 leaves garbage on the heap while the machine has free memory, so the peak of
 * a run without a limit says little about the memory that it needs.
 */
const heapLimits = { unchanged: 260, edited: 700 };
const withHeapLimit = (megabytes, args) => [`--max-old-space-size=${megabytes}`, ...args];

/** Creates and applies ten thousand agents, once for all parts, because this takes two minutes. */
async function manyApplied(service) {
  if (manyAgents !== undefined) return manyAgents;
  const project = await agents(many, service.baseUrl);
  manyAgents = { project, create: await applyAll(project, 'scale', many) };
  return manyAgents;
}

/**
 * Measures a project of ten thousand agents: the creates, and a plan without changes, with a warm cache and a heap
 * limit. The reference is the bare loop.
 */
export async function measureScale({ service, gets, folder }) {
  const { project, create } = await manyApplied(service);
  const paths = await writePaths(project, { file: join(folder, 'scale.json'), name: 'scale' });
  const withCache = { ...env('scale'), AGENTFORM_CACHE: join(folder, 'cache-scale') };
  // The first run fills the cache, and needs more memory.
  const { megabytes: firstMegabytes } = await measured(planArgs(project), { env: withCache });
  const { plan, bare } = await race(
    {
      bare: { args: [gets, service.baseUrl, paths, concurrency] },
      plan: { args: withHeapLimit(heapLimits.unchanged, planArgs(project)), env: withCache },
    },
    2,
  );
  const what = `plan of ${many} full agents at 0 ms, beside the bare GETs, with the cache`;
  return [
    ratioRow(what, { ...plan, firstMegabytes }, { reference: bare, most: 3, megabytes: 300 }),
    ratioRow(`apply that creates ${many} agents, beside the unchanged plan`, create, { reference: plan }),
  ];
}

/**
 * Measures the cost of twenty unbroken policies in a plan of ten thousand agents, alternating with the same plan
 * without them.
 */
export async function measurePolicies({ service }) {
  const { project } = await manyApplied(service);
  const policed = await withPolicies(project, 20);
  const contenders = {
    plan: { args: planArgs(project), env: env('scale') },
    policed: { args: planArgs(policed), env: env('scale') },
  };
  const { plan, policed: judged } = await race(contenders, 2);
  const added = { ...judged, ms: judged.ms - plan.ms };
  return [msRow(`what 20 policies add to the plan of ${many} full agents`, added, { most: 500 })];
}

/**
 * The aims for ten thousand edited agents, as ratios to the bare GETs. They were measured on 2026-11-26, with other
 * code.
 */
const editAims = { json: 37.1, text: 39.8, markdown: 40, html: 41.4, apply: 72.6 };

/**
 * Measures the memory and the time of ten thousand edited agents: a plan in each format, and the apply. Each of them
 * runs once, with a heap limit. The reference is the bare loop.
 */
export async function measureManyChanges({ service, gets, folder }) {
  const { project } = await manyApplied(service);
  const paths = await writePaths(project, { file: join(folder, 'edits.json'), name: 'scale' });
  const { bare } = await race({ bare: { args: [gets, service.baseUrl, paths, concurrency] } }, 3);
  await edited(project);
  const row = (what, one, most) =>
    ratioRow(`${what}, beside the bare GETs`, one, { reference: bare, most, megabytes: 1000 });
  const rows = [];
  for (const format of formats) {
    const { args, ...rest } = planAs(format, project, 'scale');
    const plan = await measured(withHeapLimit(heapLimits.edited, args), rest);
    rows.push(row(`plan of ${many} changed agents as ${format}`, plan, editAims[format]));
  }
  const apply = await measured(withHeapLimit(heapLimits.edited, applyArgs(project, many)), { env: env('scale') });
  return [...rows, row(`apply that updates ${many} agents`, apply, editAims.apply)];
}

function applyAll(project, name, most = count) {
  return measured(applyArgs(project, most), { env: env(name) });
}

function applyArgs(project, most) {
  return [cli, 'apply', '--yes', '--new', 'all', '--allow-creates', String(most), ...options, project];
}

/** Makes sure that the plan reads everything, because a plan that failed early would be fast. */
async function expectUnchanged(project, name) {
  const { summary } = JSON.parse(await outputOf(planArgs(project), { env: env(name) }));
  if (summary.unchanged !== count)
    throw new Error(`the plan is not what is to be measured: ${JSON.stringify(summary)}`);
}

/** Writes the paths of the requests that the plan sends. */
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
