import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { show } from '../../commands/show/show.ts';
import { AgentformError, reasonOf } from '../../errors.ts';
import { shardText } from '../../kinds/shard.ts';
import { hasWildcard, matchesWildcard, parseWildcard } from '../../text/wildcard.ts';
import type { CommentPlace } from '../github/marker.ts';
import type { ActionRun } from '../run.ts';
import type { Failure } from '../verdict.ts';
import { tellPlan } from './plan.ts';

/** Joins the saved plans of all shards, and shows the joined plan like `plan`. Needs no service. */
export async function showCommand(run: ActionRun, place: CommentPlace): Promise<Failure | undefined> {
  const { inputs, host } = run;
  const plans = (await Promise.all(inputs.plans.map(filesNamed))).flat();
  const shown = await show(host, { plans, project: inputs.project });
  const { environment, offline, shard } = shown.plan;
  if (environment !== place.environment) {
    throw mismatch(`the saved plans are for the environment ${environment}, not ${place.environment}`);
  }
  if (offline !== undefined) throw mismatch('the saved plan was made offline; plan again with the service');
  if (shard !== undefined) {
    throw mismatch(`there is only the plan of shard ${shardText(shard)}; plan every shard, and show all plans`);
  }
  return tellPlan(shown, { run, place });
}

function mismatch(message: string): AgentformError {
  return new AgentformError('plan-mismatch', message);
}

/** No shell expands `plans/*.json`. */
async function filesNamed(path: string): Promise<readonly string[]> {
  const [folder, pattern] = [dirname(path), basename(path)];
  if (!hasWildcard(pattern)) return [path];
  const tokens = parseWildcard(pattern);
  const found = (await namesIn(folder, path)).filter((name) => matchesWildcard(tokens, name)).sort();
  if (found.length > 0) return found.map((name) => join(folder, name));
  throw new AgentformError('plan-unreadable', `no file matches ${path}; save the plan of each shard there`);
}

async function namesIn(folder: string, path: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    throw new AgentformError('plan-unreadable', `the plans ${path} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}
