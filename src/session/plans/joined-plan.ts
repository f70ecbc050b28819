import { AgentformError } from '../../errors.ts';
import { addressOf } from '../../kinds/desired.ts';
import { shardText } from '../../kinds/shard.ts';
import { joinedPlan, type ShardPlan } from '../../plan/plan.ts';
import type { Plan } from '../../schemas/plan-types.ts';
import { counted, joinWithAnd, listSome } from '../../text/wording.ts';
import { readSavedPlan } from './saved-plan.ts';

/** Reads one saved plan, or joins several, which are the shards of one. */
export async function readSavedPlans(paths: readonly string[]): Promise<Plan> {
  const [first, ...others] = paths;
  if (first === undefined) throw new AgentformError('usage', 'no saved plan was named');
  const plan = await readSavedPlan(first);
  const isAlone = others.length === 0 && plan.shard?.of !== 1;
  return isAlone ? plan : readJoinedPlan(paths);
}

/** Joins the saved plans of all shards into the plan that one run over all of them would have made. */
export async function readJoinedPlan(paths: readonly string[]): Promise<Plan> {
  const shards: SavedShard[] = [];
  for (const path of paths) {
    const plan = await readSavedPlan(path);
    if (!isShardPlan(plan))
      throw mismatch(`the plan ${path} is not the plan of a shard, so it cannot be joined; show it by itself`);
    shards.push({ path, plan });
  }
  const [first, ...others] = shards;
  if (first === undefined) throw new AgentformError('usage', 'no saved plan was named');
  for (const other of others) requireSameOrigin(first, other);
  requireComplete(shards);
  requireApart(shards);
  return joinedPlan(
    first.plan,
    others.map(({ plan }) => plan),
  );
}

interface SavedShard {
  readonly path: string;
  readonly plan: ShardPlan;
}

function isShardPlan(plan: Plan): plan is ShardPlan {
  return plan.shard !== undefined;
}

function requireSameOrigin(first: SavedShard, other: SavedShard): void {
  const both = `the plans ${first.path} and ${other.path}`;
  const [one, two] = [first.plan, other.plan];
  if (one.environment !== two.environment) {
    throw mismatch(`${both} are for ${one.environment} and ${two.environment}; join shards of one environment`);
  }
  if (one.shard.of !== two.shard.of) {
    const numbers = `${shardText(one.shard)} and ${shardText(two.shard)}`;
    throw mismatch(`${both} are shards ${numbers}, so they are not parts of one plan; plan all shards with one number`);
  }
  if (one.shard.basis === two.shard.basis) return;
  throw mismatch(`${both} were made from different commits, resources or options; plan all shards from one commit`);
}

function requireComplete(shards: readonly SavedShard[]): void {
  const byNumber = new Map<number, SavedShard>();
  for (const shard of shards) {
    const { number } = shard.plan.shard;
    const before = byNumber.get(number);
    if (before !== undefined) {
      const what = `shard ${shardText(shard.plan.shard)}`;
      throw mismatch(`the plans ${before.path} and ${shard.path} are both ${what}; name one plan for each shard`);
    }
    byNumber.set(number, shard);
  }
  const of = shards[0]?.plan.shard.of ?? 0;
  const missing = Array.from({ length: of }, (_, index) => index + 1).filter((number) => !byNumber.has(number));
  if (missing.length === 0) return;
  const names = missing.map((number) => shardText({ number, of }));
  const which = names.length > 3 ? listSome(names, 3) : joinWithAnd(names);
  throw mismatch(
    `${counted(missing.length, 'shard')} of ${of} ${missing.length === 1 ? 'is' : 'are'} missing: ${which}; plan every shard, and name all plans`,
  );
}

/** A shard whose resources were given to another one was not made by this agentform. */
function requireApart(shards: readonly SavedShard[]): void {
  const owners = new Map<string, string>();
  for (const { path, plan } of shards) {
    for (const address of plan.resources.map(addressOf)) {
      const other = owners.get(address);
      if (other !== undefined)
        throw mismatch(`the plans ${other} and ${path} both have ${address}; plan all shards again`);
      owners.set(address, path);
    }
  }
}

function mismatch(message: string): AgentformError {
  return new AgentformError('plan-mismatch', message);
}
