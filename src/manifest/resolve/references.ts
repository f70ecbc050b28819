import { isName } from '../../json/check.ts';
import { addressOf } from '../../kinds/desired.ts';
import { quote } from '../../text/wording.ts';
import type { ManifestIndex, MergedManifest } from '../project/gather-manifests.ts';
import { isSound } from '../project/layers.ts';
import { errorAt, type Problem } from '../syntax/problem.ts';
import { keyAt, memberOf, type ScalarNode } from '../syntax/tree.ts';

/** The manifests that a manifest names. */
export interface References {
  /** The name of the Organization in whose account the calls act; of a PhoneNumber, its agent's. */
  readonly organization: ScalarNode | undefined;
  /** The name of the Agent that a PhoneNumber belongs to. */
  readonly agent: ScalarNode | undefined;
  /** The manifest whose target the calls use: the agent of a PhoneNumber, or else the manifest itself. */
  readonly owner: MergedManifest | undefined;
  readonly problems: readonly Problem[];
}

/** Finds the manifests that a manifest names. Without an owner there is no telling where the calls would go. */
export function resolveReferences(manifest: MergedManifest, index: ManifestIndex): References {
  if (manifest.kind === 'PhoneNumber') return phoneNumberReferences(manifest, index);
  const organization = nameIn(manifest, 'organization');
  const problems = organization === undefined ? [] : index.problemsOf(organization, 'Organization', 'organization');
  return { organization, agent: undefined, owner: manifest, problems };
}

function phoneNumberReferences(manifest: MergedManifest, index: ManifestIndex): References {
  const agent = nameIn(manifest, 'agent');
  const unknown = { organization: undefined, agent, owner: undefined };
  if (agent === undefined) return { ...unknown, problems: missingAgent(manifest) };
  const owner = index.find('Agent', String(agent.value));
  const beside = targetBesideAgent(manifest, agent);
  if (owner === undefined) return { ...unknown, problems: [...index.problemsOf(agent, 'Agent', 'agent'), ...beside] };
  const { organization, problems } = resolveReferences(owner, index);
  return {
    organization,
    agent,
    owner: isSound(owner.chain) ? owner : undefined,
    problems: [...problems, ...beside, ...otherOrganization({ manifest, agent, owner, organization })],
  };
}

/** The file's own check complains of what is no name. */
function nameIn({ merged }: MergedManifest, member: string): ScalarNode | undefined {
  const node = memberOf(merged, member);
  return node?.type === 'scalar' && typeof node.value === 'string' && isName(node.value) ? node : undefined;
}

/** A base that cannot be read may name the agent. */
function missingAgent({ merged, root, chain }: MergedManifest): Problem[] {
  if (merged.members.has('agent') || !chain.isWhole) return [];
  const message = 'agent is missing: a phone number names the agent manifest that it belongs to';
  return [errorAt(keyAt(root, ['kind']), 'missing', message)];
}

function targetBesideAgent({ merged }: MergedManifest, agent: ScalarNode): Problem[] {
  const target = merged.members.get('target');
  if (target === undefined) return [];
  const message = `a phone number has no target of its own: it uses that of Agent/${agent.value}; leave target out`;
  const problem = errorAt(target.key, 'target-beside-agent', message);
  return [{ ...problem, also: { message: 'the agent', at: agent.at } }];
}

interface Belonging {
  readonly manifest: MergedManifest;
  readonly agent: ScalarNode;
  readonly owner: MergedManifest;
  /** The agent's. */
  readonly organization: ScalarNode | undefined;
}

/** In the account of another organization the number would go to another agent. */
function otherOrganization({ manifest, agent, owner, organization }: Belonging): Problem[] {
  const own = nameIn(manifest, 'organization');
  if (own === undefined || own.value === organization?.value) return [];
  const theirs =
    organization === undefined ? 'belongs to no organization' : `belongs to ${quote(String(organization.value))}`;
  const message = `organization is ${quote(String(own.value))}, but ${addressOf(owner)}, whose target the phone number uses, ${theirs}; leave organization out`;
  const place = { message: 'the agent', at: organization?.at ?? agent.at };
  return [{ ...errorAt(own.at, 'organization-differs', message), also: place }];
}
