import { isName } from '../../json/check.ts';
import type { Kind } from '../../kinds/definition.ts';
import { addressOf } from '../../kinds/desired.ts';
import { kindNamed } from '../../kinds/kind.ts';
import { organization } from '../../kinds/organization.ts';
import { quote } from '../../text/wording.ts';
import type { ManifestIndex, MergedManifest } from '../project/gather-manifests.ts';
import { hasNoErrors } from '../project/layers.ts';
import { errorAt, type Problem } from '../syntax/problem.ts';
import { keyAt, memberOf, type ScalarNode } from '../syntax/tree.ts';

/** The manifests that a manifest names. */
export interface References {
  /** The name of the Organization in whose account the calls act; of what has an owner, its owner's. */
  readonly organization: ScalarNode | undefined;
  /** The name of the Agent that owns it: of a PhoneNumber. */
  readonly agent: ScalarNode | undefined;
  /** The manifest whose target the calls use: the one that owns it, or else the manifest itself. */
  readonly owner: MergedManifest | undefined;
  readonly problems: readonly Problem[];
}

/** Finds the manifests that a manifest names. Without an owner there is no telling where the calls would go. */
export function resolveReferences(manifest: MergedManifest, index: ManifestIndex): References {
  const { noun, owner } = kindNamed(manifest.kind);
  if (owner !== undefined) return referencesOfOwned(manifest, { ...owner, noun }, index);
  const name = nameIn(manifest, 'organization');
  const problems = name === undefined ? [] : index.problemsOf(name, organization.name, 'organization');
  return { organization: name, agent: undefined, owner: manifest, problems };
}

type OwnerReference = NonNullable<Kind['owner']> & Pick<Kind, 'noun'>;

function referencesOfOwned(manifest: MergedManifest, reference: OwnerReference, index: ManifestIndex): References {
  const { member, kind } = reference;
  const name = nameIn(manifest, member);
  const unknown = { organization: undefined, [member]: name, owner: undefined };
  if (name === undefined) return { ...unknown, problems: missingOwner(manifest, reference) };
  const owner = index.find(kind, String(name.value));
  const beside = targetBesideOwner(manifest, name, reference);
  if (owner === undefined) return { ...unknown, problems: [...index.problemsOf(name, kind, member), ...beside] };
  const theirs = resolveReferences(owner, index);
  return {
    ...unknown,
    organization: theirs.organization,
    owner: hasNoErrors(owner.chain) ? owner : undefined,
    problems: [
      ...theirs.problems,
      ...beside,
      ...otherOrganization({ manifest, reference, name, owner, organization: theirs.organization }),
    ],
  };
}

/** The file's own check reports what is no name. */
function nameIn({ merged }: MergedManifest, member: string): ScalarNode | undefined {
  const node = memberOf(merged, member);
  return node?.type === 'scalar' && typeof node.value === 'string' && isName(node.value) ? node : undefined;
}

/** A base that cannot be read may name it. */
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
  const message = `a ${noun} cannot have its own target: it uses the target of ${owner}; remove this one`;
  const problem = errorAt(target.key, 'target-beside-agent', message);
  return [{ ...problem, also: { message: `the ${kindNamed(kind).noun}`, at: name.at } }];
}

interface Belonging {
  readonly manifest: MergedManifest;
  readonly reference: OwnerReference;
  /** How the manifest names its owner. */
  readonly name: ScalarNode;
  readonly owner: MergedManifest;
  /** The owner's. */
  readonly organization: ScalarNode | undefined;
}

/** In the account of another organization the calls would reach another owner. */
function otherOrganization({ manifest, reference, name, owner, organization: owners }: Belonging): Problem[] {
  const own = nameIn(manifest, 'organization');
  if (own === undefined || own.value === owners?.value) return [];
  const { kind, noun } = reference;
  const theirs = owners === undefined ? 'belongs to no organization' : `belongs to ${quote(String(owners.value))}`;
  const message = `organization is ${quote(String(own.value))}, but ${addressOf(owner)}, whose target the ${noun} uses, ${theirs}; remove organization`;
  const place = { message: `the ${kindNamed(kind).noun}`, at: owners?.at ?? name.at };
  return [{ ...errorAt(own.at, 'organization-differs', message), also: place }];
}
