import { accountParameter, addressOf } from '../../../kinds/desired.ts';
import { kindNamed } from '../../../kinds/kind.ts';
import type { KindName } from '../../../schemas/fields.ts';
import { quote } from '../../../text/wording.ts';
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
 * Reports manifests with the same target in one environment. Each problem shows the location of the first manifest.
 * Skips pairs of unselected manifests. A plan refuses such manifests, too, and also compares the values of tokens and
 * the recorded ids.
 */
export function sharedAccounts<Identity extends Claimant>({
  identities,
  isSelected,
  isEmulated,
}: Claimants<Identity>): Problem[] {
  const firsts = new Map<string, Identity>();
  return identities.flatMap((identity) => {
    const claims = claimsOf(identity, isEmulated);
    const claim = claims.find(({ key }) => firsts.has(key));
    const first = claim && firsts.get(claim.key);
    for (const { key } of claims) if (!firsts.has(key)) firsts.set(key, identity);
    if (claim === undefined || first === undefined || !(isSelected(first) || isSelected(identity))) return [];
    const message = `${addressOf(first)} has the same ${claim.what}, so each would overwrite the other; ${claim.remedy}`;
    return [{ ...errorAt(identity.at, 'target-shared', message), also: { message: 'first here', at: first.at } }];
  });
}

/** The parts of a target that no two manifests of an environment may share. Secrets are compared by reference. */
function claimsOf({ kind, agentId, organization, query, token }: Claimant, isEmulated: boolean) {
  // Resources that settings identify, such as phone numbers, may share a target.
  if (kindNamed(kind).identity.settings.length > 0) return [];
  // The id of the organization's account replaces this parameter.
  const parameters = Object.entries(query).filter(([name]) => organization === undefined || name !== accountParameter);
  const account = [token, organization, parameters.sort(([one], [other]) => (one < other ? -1 : 1))];
  const remedy = 'give each a separate `target` with a token, or a query such as targetAccountId';
  return [
    ...(agentId === undefined
      ? []
      : [{ key: JSON.stringify(agentId), what: `agent id ${quote(agentId)}`, remedy: 'give each a separate agentId' }]),
    ...(token === undefined && !isEmulated ? [] : [{ key: JSON.stringify(account), what: 'token and query', remedy }]),
  ];
}
