// Measures everything, prints a table and keeps it in bench/results. With names of parts (startup, plan, validate,
// changes, one, fleet, scale, policies, edits, stores) only those are measured, and nothing is kept.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { buildContenders } from './contenders/build.mjs';
import { measureFleet } from './fleet.mjs';
import { measureOne } from './one.mjs';
import { measureChanges, measureManyChanges, measurePlan, measurePolicies, measureScale } from './plan.mjs';
import { root, startService } from './processes.mjs';
import { removeProjects } from './projects.mjs';
import { table } from './rows.mjs';
import { measureStartup } from './startup.mjs';
import { measureStores } from './stores.mjs';
import { measureValidate } from './validate.mjs';

const parts = {
  startup: measureStartup,
  plan: measurePlan,
  validate: measureValidate,
  changes: measureChanges,
  one: measureOne,
  fleet: measureFleet,
  scale: measureScale,
  policies: measurePolicies,
  // It edits what the two before it plan.
  edits: measureManyChanges,
  stores: measureStores,
};
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in parts));
if (unknown.length > 0)
  throw new Error(`there is no part ${unknown.join(', ')}: it has ${Object.keys(parts).join(', ')}`);

const folder = await mkdtemp(join(tmpdir(), 'agentform-bench-'));
const service = await startService();
try {
  const results = await measure(chosen.length === 0 ? Object.keys(parts) : chosen);
  process.stdout.write(`${results}\n`);
  if (chosen.length === 0) await keep(results);
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
    rows.push(...(await parts[name]({ service, folder, ...contenders })));
  }
  return `${machine()}\n\n${table(rows)}\n`;
}

/** The load average tells whether the machine had other things to do. */
function machine() {
  const [first, ...others] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const load = loadavg()[2].toFixed(1);
  return `Node ${process.version}, ${others.length + 1} × ${first.model.trim()}, ${memory}, ${process.platform} ${release()}; load average ${load}.`;
}

async function keep(results) {
  const day = new Date().toISOString().slice(0, 10);
  await mkdir(join(root, 'bench/results'), { recursive: true });
  await writeFile(join(root, `bench/results/${day}.md`), `# Measurements of ${day}\n\n${results}`);
}
