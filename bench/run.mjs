// Measures everything, prints a table and keeps it in bench/results. Fails if it misses an aim that was once met. If
// parts are named, it only measures those parts, and does not keep the table. The part `members` is only measured if it
// is named. A run of this part alone keeps its table, too.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { buildContenders } from './contenders/build.mjs';
import { measureFleet } from './fleet.mjs';
import { measureLsp } from './lsp.mjs';
import { measureMembers } from './members.mjs';
import { measureOne } from './one.mjs';
import { measureChanges, measureManyChanges, measurePlan, measurePolicies, measureScale } from './plan.mjs';
import { root, startService } from './processes.mjs';
import { removeProjects } from './projects.mjs';
import { judged, table } from './rows.mjs';
import { measureStartup } from './startup.mjs';
import { measureStores } from './stores.mjs';
import { measureValidate } from './validate.mjs';

const parts = {
  startup: measureStartup,
  plan: measurePlan,
  validate: measureValidate,
  lsp: measureLsp,
  changes: measureChanges,
  one: measureOne,
  fleet: measureFleet,
  scale: measureScale,
  policies: measurePolicies,
  // This part must follow the two parts above, because it edits the agents that they plan.
  edits: measureManyChanges,
  stores: measureStores,
};
/**
 * The parts that are only measured on request. `members` took 36 minutes on a busy machine. A run with fewer members
 * does not keep its table.
 */
const requested = { members: measureMembers };
const chosen = process.argv.slice(2);
const all = { ...parts, ...requested };
const unknown = chosen.filter((name) => !(name in all));
if (unknown.length > 0)
  throw new Error(`there is no part ${unknown.join(', ')}: there are ${Object.keys(all).join(', ')}`);

const metFile = join(root, 'bench/results/met.json');
const folder = await mkdtemp(join(tmpdir(), 'agentform-bench-'));
const service = await startService();
try {
  const rows = await measure(chosen.length === 0 ? Object.keys(parts) : chosen);
  const results = `${machine()}\n\n${table(rows)}\n`;
  process.stdout.write(`${results}\n`);
  const { met, missed } = judged(rows, await metBefore());
  const name = keptName();
  if (name !== undefined) await keep(name, results, met);
  for (const one of missed) process.stderr.write(`missed: ${one}\n`);
  if (missed.length > 0) process.exitCode = 1;
} finally {
  await service.stop();
  await removeProjects();
  await rm(folder, { recursive: true });
}

async function measure(names) {
  const contenders = await buildContenders(folder);
  const rows = [];
  for (const name of names) {
    process.stderr.write(`measuring ${name}\n`);
    rows.push(...(await all[name]({ service, folder, ...contenders })));
  }
  return rows;
}

/** Describes the machine. The load average shows whether the machine was busy with other work. */
function machine() {
  const [first, ...others] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const load = loadavg()[2].toFixed(1);
  return `Node ${process.version}, ${others.length + 1} × ${first.model.trim()}, ${memory}, ${process.platform} ${release()}; load average ${load}.`;
}

/** Returns the aims that an earlier run met. This run must meet them, too. */
async function metBefore() {
  return JSON.parse(await readFile(metFile, 'utf8').catch(() => '[]'));
}

/** Returns the name of the table to keep, if this run keeps a table. */
function keptName() {
  const day = new Date().toISOString().slice(0, 10);
  if (chosen.length === 0) return day;
  return chosen.join() === 'members' && process.env.BENCH_MEMBERS === undefined ? `${day}-members` : undefined;
}

async function keep(name, results, met) {
  await writeFile(metFile, `${JSON.stringify(met, null, 2)}\n`);
  await mkdir(join(root, 'bench/results'), { recursive: true });
  await writeFile(join(root, `bench/results/${name}.md`), `# Measurements of ${name.slice(0, 10)}\n\n${results}`);
}
