import type { Desired } from '../kinds/desired.ts';
import { isJsonObject } from '../kinds/json.ts';
import type { KindName } from '../schemas/fields.ts';
import type { Chain } from './base-chain.ts';
import { withoutShadowed } from './extra-settings.ts';
import { applyLevels, type LintLevel } from './lint-rules.ts';
import { formatPointer, keyAt } from './pointer.ts';
import type { Problem } from './problem.ts';
import { hasErrors } from './problem-list.ts';
import type { ProjectFiles } from './project-files.ts';
import type { ManifestIdentity } from './resolution.ts';
import { resolvedProblems } from './resolved-checks.ts';
import { ResourceView } from './resource-view.ts';
import type { Scope } from './scope.ts';
import {
  buildTarget,
  type EnvironmentNode,
  idOf,
  type ResolvedTarget,
  resolveTarget,
  type TargetInput,
} from './target.ts';
import { secretOfToken } from './token.ts';
import { type MapNode, mapNode, memberOf, type ScalarNode, scalarsOf, toJson } from './tree.ts';
import type { ValueChecks } from './value-checks.ts';
import { ValueResolver } from './value-resolver.ts';

/** A manifest with its bases, merged for an environment. */
export interface MergedManifest {
  readonly kind: KindName;
  readonly name: string;
  readonly path: string;
  readonly root: MapNode;
  readonly chain: Chain;
  /** Sections and target. */
  readonly merged: MapNode;
}

export interface ResolveContext {
  readonly environment: EnvironmentNode;
  readonly scope: Scope;
  readonly files: ProjectFiles;
  readonly checks: ValueChecks;
  /** Levels that agentform.yaml sets. */
  readonly lint: Readonly<Record<string, LintLevel>>;
}

export interface ResolvedManifest {
  /** Absent if its target has errors. */
  readonly desired?: Desired;
  /** Sections and target with everything put in. */
  readonly tree: MapNode;
  readonly problems: readonly Problem[];
}

/** Puts files, variables and secrets into a manifest and checks what comes out. */
export async function resolveManifest(manifest: MergedManifest, context: ResolveContext): Promise<ResolvedManifest> {
  const { kind, name, root, chain } = manifest;
  const resolver = new ValueResolver({ kind, files: context.files, scope: context.scope });
  const sections = resolveSections(manifest, resolver);
  const input = targetInput(manifest, context, resolver);
  const target = resolveTarget(input);
  const built = buildTarget(input, target);
  const known = chain.files.flatMap(({ problems }) => problems.flatMap(({ at }) => at ?? []));
  const found = await resolvedProblems({ kind, root, sections, isWhole: chain.isWhole, known }, context.checks);
  const tree = mapNode(sections.at, [
    ...sections.members,
    ['target', { key: keyAt(root, ['name']), value: treeOf(target, sections) }],
  ]);
  const problems = [...resolver.problems, ...built.problems, ...applyLevels(found, context.lint)];
  if (built.target === undefined || hasErrors(problems)) return { tree, problems };
  const sent = withoutShadowed(kind, sections, new ResourceView(kind, sections));
  const json = toJson(sent);
  const desired: Desired = {
    kind,
    name,
    environment: context.environment.name,
    target: built.target,
    sections: isJsonObject(json) ? json : {},
    sensitive: sensitivePointers(sent),
  };
  return { desired, tree, problems };
}

/** Who a manifest is and what it would hit, with nothing but variables known. */
export function identify(manifest: MergedManifest, context: ResolveContext): ManifestIdentity {
  const { kind, name, path, root } = manifest;
  const resolver = new ValueResolver({ kind, files: context.files, scope: context.scope });
  const target = resolveTarget(targetInput(manifest, context, resolver));
  const { query, token } = target;
  const agentId = idOf(target.agentId);
  const campaignId = idOf(target.campaignId);
  const secret = secretOfToken(token);
  return {
    kind,
    name,
    file: path,
    at: memberOf(root, 'name')?.at ?? root.at,
    ...(agentId === undefined ? {} : { agentId }),
    ...(campaignId === undefined ? {} : { campaignId }),
    query: Object.fromEntries([...query].map(([key, node]) => [key, shownText(node)])),
    token: secret === undefined ? undefined : `\${secret.${secret}}`,
  };
}

function resolveSections({ merged }: MergedManifest, resolver: ValueResolver): MapNode {
  const members = [...merged.members].filter(([section]) => section !== 'target');
  const resolved = resolver.resolve({ ...merged, members: new Map(members) }, []);
  return resolved.type === 'map' ? resolved : mapNode(merged.at, []);
}

function targetInput(manifest: MergedManifest, context: ResolveContext, resolver: ValueResolver): TargetInput {
  const { environment, scope } = context;
  const at = keyAt(manifest.root, ['name']);
  const declared = memberOf(manifest.merged, 'target');
  return { environment, scope, resolver, declared, manifest: { path: manifest.path, at } };
}

function shownText(node: ScalarNode): string {
  return node.sensitive || node.opaque ? (node.raw ?? '') : String(node.value);
}

function treeOf({ agentId, campaignId, query, token }: ResolvedTarget, { at }: MapNode): MapNode {
  const parameters = mapNode(
    at,
    [...query].map(([name, value]) => [name, { key: value.at, value }]),
  );
  const members = Object.entries({ agentId, campaignId, token, query: parameters });
  return mapNode(
    at,
    members.flatMap(([name, value]) => (value === undefined ? [] : [[name, { key: value.at, value }] as const])),
  );
}

function sensitivePointers(sections: MapNode): ReadonlySet<string> {
  return new Set([...scalarsOf(sections)].flatMap(([steps, { sensitive }]) => (sensitive ? formatPointer(steps) : [])));
}
