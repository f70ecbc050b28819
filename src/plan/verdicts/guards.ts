// Danger is a property of the plan: what refuses a whole run is decided here, and each message names what overrides it.

import { addressOf } from '../../kinds/desired.ts';
import { kindOf } from '../../kinds/kind.ts';
import type { Refusal, ResourcePlan } from '../../schemas/plan-types.ts';
import { counted, listSome } from '../../text/wording.ts';
import type { Identity } from '../observation.ts';
import { isPending } from '../pending.ts';

export interface Limits {
  /** The most resources that one run may create. */
  readonly creates: number;
}

/**
 * How a commit relates to the current one: `merged`: its changes are in the history, as after a squash merge;
 * `diverged`: on another branch; `unknown`: not found; `unanswered`: git fails.
 */
export type CommitRelation = 'ancestor' | 'merged' | 'descendant' | 'diverged' | 'unknown' | 'unanswered';

/** The commit that a record was applied from. */
export interface Source {
  readonly commit: string;
  readonly relation: CommitRelation;
  /** Why further history could not be fetched. */
  readonly problem?: string;
}

/** Manifests that would overwrite each other: the same base URL, token and query, or the same agent id; one refusal for all who share one. */
export function sharedTargets(identities: readonly Identity[]): Refusal[] {
  const owners = new Map<string, Identity>();
  const clashes = new Map<string, { readonly what: string; readonly sharers: string[] }>();
  for (const identity of identities.filter(isAloneUnderTarget)) {
    const claims = claimsOf(identity);
    const claimed = claims.find(({ key }) => owners.has(key));
    for (const { key } of claims) if (!owners.has(key)) owners.set(key, identity);
    const owner = claimed && owners.get(claimed.key);
    if (claimed === undefined || owner === undefined) continue;
    const { what } = claimed;
    const key = `${addressOf(owner)} ${what}`;
    const clash = clashes.get(key) ?? { what, sharers: [addressOf(owner)] };
    clash.sharers.push(addressOf(identity));
    clashes.set(key, clash);
  }
  return [...clashes.values()].map(sharedTarget);
}

/** A target may have many resources that settings identify. */
function isAloneUnderTarget(identity: Identity): boolean {
  return kindOf(identity)?.identity.settings.length === 0;
}

function sharedTarget({ what, sharers }: { readonly what: string; readonly sharers: readonly string[] }): Refusal {
  const consequence = sharers.length === 2 ? 'one would overwrite the other' : 'each would overwrite the others';
  return {
    rule: 'shared-target',
    message:
      `${listSome(sharers, mostSharers)} have the same ${what}, so ${consequence}; ` +
      'give each its own `target` (a token, a query such as targetAccountId, or an agentId)',
  };
}

/** The maximum number of manifests of one target in a sentence. */
const mostSharers = 10;

/** Values that only one manifest may have. A token counts as the same if its reference or its value is. */
function claimsOf({ baseUrl, query, agentId, token, tokenReference }: Identity) {
  const parameters = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1));
  const place = JSON.stringify([baseUrl, parameters]);
  const what = 'base URL, token and query';
  return [
    ...(agentId === undefined
      ? []
      : [{ what: `agent id ${agentId}`, key: `id ${JSON.stringify(baseUrl)} ${agentId}` }]),
    { what, key: `reference ${place} ${tokenReference}` },
    ...(token === undefined ? [] : [{ what, key: `token ${place} ${token.reveal()}` }]),
  ];
}

/** The maximum number of resources or commits in a sentence. */
const mostNamed = 3;

/** The commits that refuse a run, by the addresses of resources with changes that were applied from them. */
export function refusingSources(
  resources: readonly ResourcePlan[],
  sources: ReadonlyMap<string, Source>,
): ReadonlyMap<string, Source & { readonly relation: RefusedRelation }> {
  return new Map(
    resources.filter(isPending).flatMap((resource) => {
      const address = addressOf(resource);
      const source = sources.get(address);
      const relation = relationsRefused.find(([one]) => one === source?.relation)?.[0];
      return source === undefined || relation === undefined ? [] : [[address, { ...source, relation }] as const];
    }),
  );
}

/** Creates over the limit; the flag in the message overrides it. */
export function tooManyCreates(resources: readonly ResourcePlan[], limits: Limits): Refusal[] {
  const creates = resources.filter((resource) => resource.action === 'create').length;
  if (creates <= limits.creates) return [];
  return [
    {
      rule: 'limit-creates',
      message:
        `the plan creates ${counted(creates, 'resource')}, but limits.creates is ${limits.creates}; ` +
        `to create them all, run again with --allow-creates ${creates}`,
    },
  ];
}

/**
 * Resources that were applied from a commit which the one that is checked out does not contain: writing them would undo
 * that work. The flag in the message overrides it, and then the present commit is recorded.
 */
export function olderCheckout(resources: readonly ResourcePlan[], sources: ReadonlyMap<string, Source>): Refusal[] {
  const written = [...refusingSources(resources, sources)].map(([address, source]) => ({ address, ...source }));
  return relationsRefused.flatMap(([relation, why]) => {
    const found = written.filter((one) => one.relation === relation);
    if (found.length === 0) return [];
    const commits = [...new Set(found.map(({ commit }) => commit.slice(0, 12)))];
    const subject = `${listSome(
      found.map(({ address }) => address),
      mostNamed,
    )} ${found.length === 1 ? 'was' : 'were'}`;
    const plural = commits.length === 1 ? 'commit' : 'commits';
    const problem = found.find((one) => one.problem !== undefined)?.problem;
    const doubt = problem === undefined ? '' : ` (could not fetch more of the history: ${problem})`;
    const message = `${subject} last applied from ${plural} ${listSome(commits, mostNamed)}, ${why}${doubt}`;
    return [{ rule: 'older-commit', message }];
  });
}

type RefusedRelation = Exclude<CommitRelation, 'ancestor' | 'merged'>;

const relationsRefused: readonly (readonly [RefusedRelation, string])[] = [
  [
    'descendant',
    'and the checkout is older, so an apply would undo newer work; check out or merge that commit and run again; ' +
      'to go back on purpose, run again with --allow-older',
  ],
  [
    'diverged',
    'which the checkout does not contain, so an apply may undo other work; merge it and run again; ' +
      'if a squash or rebase changed it, or it should be undone, run again with --allow-older',
  ],
  [
    'unknown',
    'which neither this repository nor its remote has, so an apply may undo other work; if it was never pushed, or the ' +
      'history was rewritten, check the changes and run again with --allow-older',
  ],
  [
    'unanswered',
    'and git fails here, so agentform cannot check that the checkout contains it; follow the warning, or check the ' +
      'changes and run again with --allow-older',
  ],
];
