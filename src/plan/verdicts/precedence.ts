import { addressOf } from '../../kinds/desired.ts';
import { kindNamed } from '../../kinds/kind.ts';
import { type Notice, notice, remedyIn } from '../../notices/notice.ts';
import type { ResourcePlan } from '../../schemas/plan-types.ts';
import type { Subject } from '../subject.ts';
import { targetMismatch } from '../target.ts';
import { blockReasons } from './blocks.ts';
import { holdOver, holdOverRest } from './holds.ts';
import { refusedLoss } from './shrunk-prompts.ts';

/** Why a resource is left out of an apply. */
export interface Verdict {
  readonly action: 'blocked' | 'failed';
  readonly reasons: readonly Notice[];
  readonly held?: ResourcePlan['held'];
}

/**
 * What keeps a resource from being written, the strongest first: the first that applies is what the plan says.
 *
 * 1. `blocked`: its record, its target or an earlier write forbids to send anything (`blocks.ts`).
 * 2. `failed`: it could not be read, so that nothing is known of its fields.
 * 3. `blocked`: the service has no way to update what changed.
 * 4. `blocked`: a prompt loses much of its text, and the project makes that an error.
 * 5. `blocked`: it is on hold, or a setting that no request leaves alone is kept.
 *
 * Those need only the resource. The rest of the plan adds to what is left, in `plan.ts`:
 *
 * 6. `blocked`: its organization is not there yet, and this run does not create it.
 * 7. `blocked`: a policy denies it.
 *
 * An apply refuses in this order what is left (`apply-plan.ts`, `refusal`): what `requires`, an approval or a saved plan
 * does not allow, an interrupted run, wrong credentials, a dependency that failed, conflicts. Refusals of the whole run
 * are in `guards.ts`.
 */
const verdicts: readonly ((subject: Subject) => Verdict | undefined)[] = [
  forbidden,
  unread,
  notUpdatable,
  shrunk,
  onHold,
];

export function verdictOn(subject: Subject): Verdict | undefined {
  for (const verdict of verdicts) {
    const found = verdict(subject);
    if (found !== undefined) return found;
  }
  return undefined;
}

function forbidden({ observation, options }: Subject): Verdict | undefined {
  const { desired, record } = observation;
  // Without the service the base commit stands in for the record, so that no command about records gets out of it.
  const isMoved = options.offline && record !== undefined && targetMismatch(desired, record) !== undefined;
  return blockedBy(isMoved ? [notice('target-changed', {})] : blockReasons(observation, options.orphans, options.now));
}

function unread({ observation: { reading } }: Subject): Verdict | undefined {
  return reading !== undefined && 'failure' in reading ? { action: 'failed', reasons: [reading.failure] } : undefined;
}

function notUpdatable({ observation: { desired }, compared }: Subject): Verdict | undefined {
  const changes = compared.placed.map(({ change }) => change);
  if (compared.action !== 'update' || changes.every(({ op }) => op === 'release')) return undefined;
  const obstacle = kindNamed(desired.kind).updateObstacle?.(desired);
  if (obstacle === undefined) return undefined;
  const adopt = remedyIn(desired.environment, 'record', 'adopt', addressOf(desired));
  return blockedBy([notice('update-impossible', { obstacle, paths: changes.map(({ path }) => path) }, [adopt])]);
}

function shrunk({ observation: { restored }, options, compared }: Subject): Verdict | undefined {
  const isRefused = options.shrunkPrompts === 'error' && restored === undefined && options.ignoresHolds !== true;
  return isRefused ? blockedBy(compared.losses.map(refusedLoss)) : undefined;
}

/** A rename alone drops the record under the other name, and with it the hold. */
function onHold({ observation, options, compared }: Subject): Verdict | undefined {
  const { action, placed, state } = compared;
  const isHoldable = action !== 'none' && (placed.length > 0 || observation.heldAs !== undefined);
  const hold = isHoldable && options.ignoresHolds !== true ? holdOver(observation, state, options) : undefined;
  if (hold !== undefined) return { action: 'blocked', reasons: [hold.reason], held: hold.held };
  const isSent = placed.some(({ change }) => change.op !== 'release');
  const isKept = isSent && (observation.kept?.unsendable.length ?? 0) > 0;
  const rest = isKept ? holdOverRest(observation, options.secrecy) : undefined;
  return rest && { action: 'blocked', reasons: [rest.reason], held: rest.held };
}

function blockedBy(reasons: readonly Notice[]): Verdict | undefined {
  return reasons.length === 0 ? undefined : { action: 'blocked', reasons };
}
