import { isJsonObject } from '../../json/json.ts';
import type { Desired, Target } from '../../kinds/desired.ts';
import { kindNamed } from '../../kinds/kind.ts';
import { secretReference } from '../../secrets/reference.ts';
import { applyLevels } from '../check/lint-levels.ts';
import { resolvedProblems, withoutShadowed } from '../check/resource.ts';
import { ResourceView } from '../check/resource-view.ts';
import { keysAt } from '../check/unknown-key.ts';
import type { MergedManifest } from '../project/gather-manifests.ts';
import { placeOfName } from '../project/moves.ts';
import { secretOf } from '../syntax/interpolate.ts';
import { hasErrors, type Problem } from '../syntax/problem.ts';
import { formatPointer, type MapNode, mapNode, type ScalarNode, scalarsOf, toJson } from '../syntax/tree.ts';
import { isEnvelopeMember, resolveEnvelope } from './envelope.ts';
import type { References } from './references.ts';
import type { ManifestIdentity, ResolveContext } from './resolution.ts';
import { idOf, type Targets } from './target.ts';
import { ValueResolver } from './value-resolver.ts';

export interface ResolvedManifest {
  /** Absent if its target has errors. */
  readonly desired?: Desired<Target>;
  /** Sections, target and references with everything put in. */
  readonly tree: MapNode;
  readonly problems: readonly Problem[];
}

/** Puts files, variables and secrets into a manifest and checks what comes out. */
export async function resolveManifest(
  manifest: MergedManifest,
  references: References,
  context: ResolveContext,
): Promise<ResolvedManifest> {
  const { kind, name, root, chain } = manifest;
  const resolver = new ValueResolver({ kind, files: context.files, scope: context.scope });
  const sections = resolveSections(manifest, resolver);
  const envelope = resolveEnvelope(manifest, references, { context, resolver });
  const known = chain.files.flatMap(({ problems }) => problems.flatMap(({ at }) => at ?? []));
  const found = await resolvedProblems({ kind, root, sections, isWhole: chain.isWhole, known }, context.checks);
  const tree = mapNode(sections.at, [...sections.members, ...envelope.members]);
  const problems = [...resolver.problems, ...envelope.problems, ...applyLevels(found, context.lint)];
  if (envelope.target === undefined || hasErrors(problems)) return { tree, problems };
  const sent = withoutShadowed(kind, sections, new ResourceView(kind, sections));
  const json = toJson(sent);
  const desired: Desired<Target> = {
    kind,
    name,
    environment: context.environment.name,
    target: envelope.target,
    ...envelope.values,
    sections: isJsonObject(json) ? json : {},
    sensitive: sensitivePointers(sent),
  };
  return { desired, tree, problems };
}

/** Who a manifest is and what it would hit. Of a value that holds a secret it has the text as written. */
export function identify(
  manifest: MergedManifest,
  { organization, agent, owner }: References,
  targets: Targets,
): ManifestIdentity {
  const { kind, name, path } = manifest;
  const { query, token, ...ids } = targets.of(owner ?? manifest).nodes;
  const { hasIdInTarget } = kindNamed(kind);
  const agentId = hasIdInTarget ? idOf(ids.agentId) : undefined;
  const campaignId = hasIdInTarget ? idOf(ids.campaignId) : undefined;
  const secret = secretOf(token);
  return {
    kind,
    name,
    file: path,
    at: placeOfName(manifest),
    renamedFrom: manifest.renamedFrom,
    ...(organization === undefined ? {} : { organization: String(organization.value) }),
    ...(agent === undefined ? {} : { agent: String(agent.value) }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(campaignId === undefined ? {} : { campaignId }),
    query: Object.fromEntries([...query].map(([key, node]) => [key, shownText(node)])),
    token: secret === undefined ? undefined : secretReference(secret),
  };
}

/** Of a section that the kind does not have nothing more is said. */
function resolveSections({ kind, merged }: MergedManifest, resolver: ValueResolver): MapNode {
  const known = keysAt(kind, []);
  const members = [...merged.members].filter(([name]) => known.includes(name) && !isEnvelopeMember(name));
  const resolved = resolver.resolve({ ...merged, members: new Map(members) }, []);
  return resolved.type === 'map' ? resolved : mapNode(merged.at, []);
}

function shownText(node: ScalarNode): string {
  return node.sensitive || node.opaque ? (node.raw ?? '') : String(node.value);
}

function sensitivePointers(sections: MapNode): ReadonlySet<string> {
  return new Set([...scalarsOf(sections)].flatMap(([steps, { sensitive }]) => (sensitive ? formatPointer(steps) : [])));
}
