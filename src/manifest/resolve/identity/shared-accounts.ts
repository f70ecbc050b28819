import { grouped } from '../../../json/json.ts';
import { accountParameter, addressOf } from '../../../kinds/desired.ts';
import { kindNamed } from '../../../kinds/kind.ts';
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

interface Claimants<Identity> {
  /** The identities of an environment's manifests without errors. */
  readonly identities: readonly Identity[];
  readonly isSelected: (identity: Identity) => boolean;
  /** Whether the environment uses the embedded emulator, which needs no token. */
  readonly isEmulated: boolean;
}

/**
 * Reports manifests with the same target in one environment, each target once. The problem is at the second manifest if
 * it is selected. Skips targets of unselected manifests. A plan refuses such manifests, too, and also compares the
 * values of tokens and the recorded ids.
 */
export function sharedAccounts<Identity extends Claimant>({
  identities,
  isSelected,
  isEmulated,
}: Claimants<Identity>): Problem[] {
  // Resources that settings identify, such as phone numbers, may share a target.
  const claimants = identities.filter(({ kind }) => kindNamed(kind).identity.settings.length === 0);
  const byId = grouped(claimants, ({ agentId }) => agentId);
  const byAccount = grouped(claimants, (one) => accountOf(one, isEmulated));
  const accounts = [...byAccount.values()].filter(
    ([first, ...others]) => first.agentId === undefined || others.some(({ agentId }) => agentId !== first.agentId),
  );
  return [
    ...[...byId].map(([id, same]) => ({
      same,
      what: `agent id ${quote(id)}`,
      remedy: 'give each a separate agentId',
    })),
    ...accounts.map((same) => ({
      same,
      what: 'token and query',
      remedy: 'give each a separate `target` with a token, or a query such as targetAccountId',
    })),
  ].flatMap(({ same, what, remedy }) => {
    const [first, second] = same;
    const shown = same.slice(1).find(isSelected) ?? same.find(isSelected);
    if (second === undefined || shown === undefined) return [];
    const others = same.filter((one) => one !== shown).map(addressOf);
    const message =
      others.length === 1
        ? `${others[0]} has the same ${what}, so each would overwrite the other; ${remedy}`
        : `${listSome(others, 3)} have the same ${what} as this one, so each would overwrite the others; ${remedy}`;
    const also = shown === first ? { message: 'also here', at: second.at } : { message: 'first here', at: first.at };
    return [{ ...errorAt(shown.at, 'target-shared', message), also }];
  });
}

/** The token and query of a target, with secrets by reference. Undefined without a token that the service needs. */
function accountOf({ organization, query, token }: Claimant, isEmulated: boolean): string | undefined {
  if (token === undefined && !isEmulated) return undefined;
  // The id of the organization's account replaces this parameter.
  const parameters = Object.entries(query).filter(([name]) => organization === undefined || name !== accountParameter);
  return JSON.stringify([token, organization, parameters.sort(([one], [other]) => (one < other ? -1 : 1))]);
}
