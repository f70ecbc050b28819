import { isName, nameSyntax } from '../../../json/check.ts';
import type { Kind } from '../../../kinds/definition.ts';
import { organization } from '../../../kinds/definitions/organization.ts';
import { addressOf } from '../../../kinds/desired.ts';
import { kindNamed } from '../../../kinds/kind.ts';
import { quote } from '../../../text/wording.ts';
import { isSpecial } from '../../../yaml/interpolate.ts';
import { errorAt, type Problem } from '../../../yaml/problem.ts';
import { keyAt, memberOf, type ScalarNode, showNode } from '../../../yaml/tree.ts';
import type { ManifestIndex } from '../../fleet/manifest-index.ts';
import { type MergedManifest, mergedAgain } from '../../fleet/units.ts';
import { hasNoErrors, type Reader } from '../../project/layers.ts';
import type { ProjectFiles } from '../../project/project-files.ts';
import type { Trace } from '../../project/trace.ts';
import type { Scope } from '../values/scope.ts';
import { ValueResolver } from '../values/value-resolver.ts';

export interface References {
  /** The name of the Organization whose account is used. A resource with an owner uses the owner's account. */
  readonly organization: ScalarNode | undefined;
  /** The name of the Agent that owns a PhoneNumber. */
  readonly agent: ScalarNode | undefined;
  /** The manifest whose target is used: the owner, or the manifest itself. */
  readonly owner: MergedManifest | undefined;
  /** The user name in an AgentUrl. */
  readonly username?: string | undefined;
  readonly problems: readonly Problem[];
}

/** Resolves the references in a manifest. If the owner is unknown, so is the target. */
export function resolveReferences(manifest: MergedManifest, context: ReferenceContext): References {
  const { noun, owner, agentUsername } = kindNamed(manifest.kind);
  if (owner !== undefined) return referencesOfOwned(manifest, { ...owner, noun }, context);
  const { name, problems } = nameIn(manifest, 'organization', context);
  const unknown =
    name === undefined
      ? []
      : context.index.problemsOf({ reference: name, kind: organization.name, path: 'organization' }, context.trace);
  const username = agentUsername && usernameIn(manifest, agentUsername, context);
  return { organization: name, agent: undefined, owner: manifest, username, problems: [...problems, ...unknown] };
}

/**
 * Reads the user name. Undefined if the user name is unknown. Problems with the user name are reported when the section
 * is checked.
 */
function usernameIn(manifest: MergedManifest, setting: string, { scope, files }: ReferenceContext): string | undefined {
  const node = memberOf(memberOf(manifest.merged, 'settings'), setting);
  if (node?.type !== 'scalar' || typeof node.value !== 'string') return undefined;
  const resolver = new ValueResolver({ kind: manifest.kind, files, scope: scope.of(manifest) });
  const { value, opaque } = resolver.scalar(node, { asText: true, noSecret: setting });
  return opaque ? undefined : String(value);
}

interface ReferenceContext {
  readonly index: ManifestIndex;
  readonly scope: Scope;
  readonly files: ProjectFiles;
  readonly reader: Reader;
  /** The trace that notes queries. Undefined if no facts are kept. */
  readonly trace: Trace | undefined;
}

type OwnerReference = NonNullable<Kind['owner']> & Pick<Kind, 'noun'>;

function referencesOfOwned(manifest: MergedManifest, reference: OwnerReference, context: ReferenceContext): References {
  const { member, kind } = reference;
  const { name, problems } = nameIn(manifest, member, context);
  const unknown = { organization: undefined, [member]: name, owner: undefined };
  if (name === undefined) return { ...unknown, problems: [...problems, ...missingOwner(manifest, reference)] };
  const found = context.index.find(kind, String(name.value), context.trace);
  const owner = found && mergedAgain(found, context.scope.environment, context.reader);
  const beside = targetBesideOwner(manifest, name, reference);
  if (owner === undefined) {
    return {
      ...unknown,
      problems: [...context.index.problemsOf({ reference: name, kind, path: member }, context.trace), ...beside],
    };
  }
  const theirs = resolveReferences(owner, context);
  const own = nameIn(manifest, 'organization', context);
  return {
    ...unknown,
    organization: theirs.organization,
    owner: hasNoErrors(owner.chain) ? owner : undefined,
    problems: [
      ...theirs.problems,
      ...beside,
      ...own.problems,
      ...otherOrganization({ own: own.name, reference, name, owner, organization: theirs.organization }),
    ],
  };
}

/**
 * Reads the name of another manifest and inserts variables into it. Skips invalid literal names, because the file check
 * reports them.
 */
function nameIn(
  manifest: MergedManifest,
  member: string,
  { scope, files }: Pick<ReferenceContext, 'scope' | 'files'>,
): { readonly name?: ScalarNode; readonly problems: readonly Problem[] } {
  const node = memberOf(manifest.merged, member);
  if (node?.type !== 'scalar' || typeof node.value !== 'string') return { problems: [] };
  if (!isSpecial(node.value)) return isName(node.value) ? { name: node, problems: [] } : { problems: [] };
  const resolver = new ValueResolver({ kind: manifest.kind, files, scope: scope.of(manifest) });
  const name = resolver.scalar(node, { asText: true, noSecret: member });
  if (name.opaque) return { problems: resolver.problems };
  if (typeof name.value === 'string' && isName(name.value)) return { name, problems: [] };
  return { problems: [errorAt(node.at, 'value', `${member} is ${showNode(name)}: expected ${nameSyntax}`)] };
}

/** Reports a missing owner, unless an unreadable base may name the owner. */
function missingOwner({ merged, root, chain }: MergedManifest, { member, kind, noun }: OwnerReference): Problem[] {
  if (merged.members.has(member) || !chain.isWhole) return [];
  const message = `${member} is missing: a ${noun} needs the name of the ${kindNamed(kind).noun} manifest that it belongs to`;
  return [errorAt(keyAt(root, ['kind']), 'missing', message)];
}

function targetBesideOwner({ merged }: MergedManifest, name: ScalarNode, reference: OwnerReference): Problem[] {
  const { kind, noun } = reference;
  const target = merged.members.get('target');
  if (target === undefined) return [];
  const owner = addressOf({ kind, name: String(name.value) });
  const message = `a ${noun} cannot have its own target, because it uses the target of ${owner}; remove this target`;
  const problem = errorAt(target.key, 'target-beside-agent', message);
  return [{ ...problem, also: { message: `the ${kindNamed(kind).noun}`, at: name.at } }];
}

interface Belonging {
  /** The organization that the manifest names. */
  readonly own: ScalarNode | undefined;
  readonly reference: OwnerReference;
  /** The node that names the owner. */
  readonly name: ScalarNode;
  readonly owner: MergedManifest;
  /** The organization of the owner. */
  readonly organization: ScalarNode | undefined;
}

/**
 * Reports an organization that differs from the owner's. Requests to the account of the other organization would not
 * reach the owner.
 */
function otherOrganization({ own, reference, name, owner, organization: owners }: Belonging): Problem[] {
  if (own === undefined || own.value === owners?.value) return [];
  const { kind, noun } = reference;
  const theirs = owners === undefined ? 'belongs to no organization' : `belongs to ${quote(String(owners.value))}`;
  const message = `organization is ${quote(String(own.value))}, but ${addressOf(owner)}, whose target the ${noun} uses, ${theirs}; remove organization`;
  const also = { message: `the ${kindNamed(kind).noun}`, at: owners?.at ?? name.at };
  return [{ ...errorAt(own.at, 'organization-differs', message), also }];
}
