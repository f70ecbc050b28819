import type { Desired, Target } from '../../kinds/desired.ts';
import { kindNamed } from '../../kinds/kind.ts';
import { secretReference } from '../../secrets/reference.ts';
import type { MergedManifest } from '../project/gather-manifests.ts';
import { placeOfName } from '../project/moves.ts';
import { secretOf } from '../syntax/interpolate.ts';
import { hasErrors, type Problem } from '../syntax/problem.ts';
import { type MapNode, mapNode, type ScalarNode } from '../syntax/tree.ts';
import { resolveEnvelope } from './envelope.ts';
import type { References } from './references.ts';
import type { ManifestIdentity, ResolveContext } from './resolution.ts';
import { areSameIn, type ResolvedSections, resolveSections } from './sections.ts';
import { idOf, type Targets } from './target.ts';
import { ValueResolver } from './value-resolver.ts';

export interface ResolvedManifest {
  /** Absent if its target has errors. Made when it is asked for: who only checks manifests does without. */
  readonly desired?: () => Desired<Target>;
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
  const { kind, name } = manifest;
  const { tree: sections, problems: found, sent } = await sectionsOf(manifest, context);
  const resolver = new ValueResolver({ kind, files: context.files, scope: context.scope });
  const envelope = resolveEnvelope(manifest, references, { context, resolver });
  const tree = mapNode(sections.at, [...sections.members, ...envelope.members]);
  const problems = [...found, ...resolver.problems, ...envelope.problems];
  if (envelope.target === undefined || hasErrors(problems)) return { tree, problems };
  const { target, values } = envelope;
  const environment = context.environment.name;
  return { desired: () => ({ kind, name, environment, target, ...values, ...sent() }), tree, problems };
}

async function sectionsOf(manifest: MergedManifest, context: ResolveContext): Promise<ResolvedSections> {
  const { scope, shared } = context;
  const known = shared.sections.get(manifest.path);
  if (known !== undefined && areSameIn(known, manifest, scope)) return known;
  const sections = await resolveSections(manifest, context);
  shared.sections.set(manifest.path, sections);
  shared.values += manifest.values;
  return sections;
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

function shownText(node: ScalarNode): string {
  return node.sensitive || node.opaque ? (node.raw ?? '') : String(node.value);
}
