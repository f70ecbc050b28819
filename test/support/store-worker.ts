import { writeSync } from 'node:fs';
import { createGitStore } from '../../src/record/git/store.ts';
import type { RecordSettings, RecordStore } from '../../src/record/store.ts';
import { storeDefinitions } from '../../src/record/store-table.ts';
import { agentRecord } from './observations.ts';

// This program saves records until it is killed. Before and after each step, it prints a line with a JSON object.

const [settings = '', root = '', prefix = '', seed = '1'] = process.argv.slice(2);
const record: RecordSettings = JSON.parse(settings);
const names = [0, 1, 2].map((index) => `${prefix}${index}`);

let state = Number(seed);
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state % below;
}

/** Prints an event synchronously, because the process may be killed next. */
function tell(event: Readonly<Record<string, unknown>>): void {
  writeSync(1, `${JSON.stringify({ ...event, by: process.pid, at: Number(process.hrtime.bigint()) })}\n`);
}

const open: RecordStore =
  record.store === 'git'
    ? await createGitStore({ root, branch: 'agentform-records', remote: 'origin', env: process.env, shareEvery: 40 })
    : await storeDefinitions[record.store].open({ root, record, env: process.env });
await open.lock('test').catch((error: unknown) => {
  tell({ refused: String(error) });
  process.exit(0);
});
tell({ locked: true });
for (;;) {
  const name = names[random(names.length)] ?? '';
  const stored = await open.read({ environment: 'test', kind: 'Agent', name });
  const value = 1 + Number(stored?.record.fields.value?.value ?? 0);
  tell({ name, trying: value });
  const next = agentRecord({ value, padding: 'x'.repeat(random(20_000)) }, { name });
  await open.save(next, stored?.version);
  tell({ name, saved: value });
  if (open.sharesAtOnce || random(4) > 0) continue;
  await open.share('Apply to test');
  tell({ shared: true });
}
