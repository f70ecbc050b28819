import { accountParameter, addressOf, organizationAddress } from '../../../kinds/desired.ts';
import { sharedTargets } from '../../../kinds/shared-targets.ts';
import type { KindName } from '../../../schemas/fields.ts';
import { listSome, quote } from '../../../text/wording.ts';
import { errorAt, type Problem, type Span } from '../../../yaml/problem.ts';

/** The target of a manifest, with secrets by reference (see `ManifestIdentity`). */
interface Claimant {
  readonly kind: KindName;
  readonly name: string;
  readonly at: Span;
  readonly agentId?: string;
  readonly organization?: string;
  readonly query: Readonly<Record<string, string>>;
  readonly token: string | undefined;
}

interface Claimants<Item> {
  /** The identities of an environment's manifests without errors. */
  readonly identities: readonly Item[];
  readonly isSelected: (identity: Item) => boolean;
  /** Whether the environment uses the embedded emulator, which needs no token. */
  readonly isEmulated: boolean;
}

/**
 * Reports manifests with the same target in one environment, each target once. The problem is at the second manifest if
 * it is selected. Skips targets of unselected manifests. A plan refuses such manifests, too, and also compares the
 * values of tokens and the recorded ids.
 */
export function sharedAccounts<Item extends Claimant>({
  identities,
  isSelected,
  isEmulated,
}: Claimants<Item>): Problem[] {
  const targets = identities.map((identity) => {
    const { kind, name, agentId, organization, query, token = isEmulated ? '' : undefined } = identity;
    const account = organization && { [accountParameter]: organizationAddress(organization) };
    const id = agentId === undefined ? {} : { agentId };
    return { kind, name, ...id, baseUrl: '', query: { ...query, ...account }, tokenReference: token, identity };
  });
  return sharedTargets(targets).flatMap(({ agentId, sharers }) => {
    const [first, ...others] = sharers.map(({ identity }) => identity);
    const shown = [...others, ...(first ? [first] : [])].find(isSelected);
    const also = shown === first ? others[0] : first;
    if (shown === undefined || also === undefined) return [];
    const rest = sharers.filter(({ identity }) => identity !== shown).map(addressOf);
    const what = agentId === undefined ? 'token and query' : `agent id ${quote(agentId)}`;
    const remedy =
      agentId === undefined
        ? 'give each a separate `target` with a token, or a query such as targetAccountId'
        : 'give each a separate agentId';
    const message =
      rest.length === 1
        ? `${rest[0]} has the same ${what}, so each would overwrite the other; ${remedy}`
        : `${listSome(rest, 3)} have the same ${what} as this one, so each would overwrite the others; ${remedy}`;
    const label = shown === first ? 'also here' : 'first here';
    return [{ ...errorAt(shown.at, 'target-shared', message), also: { message: label, at: also.at } }];
  });
}
