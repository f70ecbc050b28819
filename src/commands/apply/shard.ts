import { AgentformError } from '../../errors.ts';
import { addressOf } from '../../kinds/desired.ts';
import { isInShard, type Shard, shardText } from '../../kinds/shard.ts';
import type { Plan } from '../../schemas/plan-types.ts';
import type { Session } from '../../session/session.ts';
import { counted } from '../../text/wording.ts';

/**
 * Throws if a shard would be applied without the joined plan, or with the plan of one shard: what a project limits
 * counts over all shards, and an approval covers all of them.
 */
export function requireWhole(
  saved: Plan | undefined,
  { shard, savedPlan = '' }: { readonly shard?: Shard | undefined; readonly savedPlan?: string | undefined },
): void {
  if (saved === undefined && shard !== undefined) {
    throw new AgentformError(
      'usage',
      `--shard ${shardText(shard)} needs --plan with the plan of all shards, because limits count over all of them; ` +
        `plan every shard, and join the plans with ${joinCommand}`,
    );
  }
  if (saved?.shard === undefined) return;
  throw new AgentformError(
    'plan-mismatch',
    `the plan ${savedPlan} is only shard ${shardText(saved.shard)}; join the plans of all ${counted(saved.shard.of, 'shard')} ` +
      `with ${joinCommand}, and apply the joined plan`,
  );
}

const joinCommand = '`agentform show plan-*.json --format json > plan.json`';

/** By address, what a run of another shard has. */
export function ofOtherShards(
  { resolution, project }: Pick<Session, 'resolution' | 'project'>,
  shard: Shard | undefined,
): (address: string) => boolean {
  if (shard === undefined) return () => false;
  const removed = project.removed.map((address) => {
    const [kind = '', name = ''] = address.split('/');
    return { kind, name };
  });
  const others = [...resolution.all, ...removed].filter((one) => !isInShard(one, shard));
  const addresses = new Set(others.map(addressOf));
  return (address) => addresses.has(address);
}
