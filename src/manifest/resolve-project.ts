import { AgentformError } from '../errors.ts';
import { addressOf } from '../kinds/desired.ts';
import type { KindName } from '../schemas/fields.ts';
import { followBases, isSound, nameProblems } from './base-chain.ts';
import { mergedSections } from './layers.ts';
import { applyLevels } from './lint-rules.ts';
import { ManifestIndex } from './manifest-index.ts';
import type { MergedManifest } from './merged-manifest.ts';
import { nodeAt, parsePointer } from './pointer.ts';
import type { Problem } from './problem.ts';
import { byPlace, errorAt, withoutDuplicates } from './problem-list.ts';
import type { Project } from './project.ts';
import type { Origin, Resolution, ResolveOptions } from './resolution.ts';
import type { ResolveContext } from './resolve-context.ts';
import { identify, type ResolvedManifest, resolveManifest } from './resolve-manifest.ts';
import { Scope } from './scope.ts';
import { didYouMean } from './suggest.ts';
import type { EnvironmentNode } from './target.ts';
import { type MapNode, memberOf, type Node } from './tree.ts';
import { listOf, quote } from './wording.ts';

/**
 * What the manifests of a project ask for in one environment.
 *
 * Files are checked as they are written whether selected or not; variables, secrets, targets and what comes of them
 * are checked for the selected resources. All problems are told at once.
 */
export async function resolveProject(project: Project, options: ResolveOptions): Promise<Resolution> {
  const environment = environmentNode(project, options.environment);
  const gathered = gatherManifests(project, options.environment);
  const context = contextOf({ project, options, environment, index: gathered.index });
  const select = options.select ?? (() => true);
  const selected = gathered.manifests.filter((manifest) => select(addressOf(manifest)));
  const resolved = new Map<MergedManifest, ResolvedManifest>();
  for (const manifest of selected) resolved.set(manifest, await resolveManifest(manifest, context));
  const problems = [
    ...applyLevels(project.problems, project.lint),
    ...gathered.problems,
    ...[...resolved.values()].flatMap((one) => one.problems),
  ];
  const formContext = { ...context, scope: new Scope({ ...scopeInput(environment, options), secrets: 'form' }) };
  return {
    desired: selected.flatMap((manifest) => desiredOf(manifest, resolved.get(manifest))),
    all: gathered.manifests.map((manifest) => identify(manifest, formContext)),
    problems: withoutDuplicates(problems).sort(byPlace),
    secrets: [...context.scope.secrets.values()],
    originOf: originsIn(resolved),
  };
}

interface ContextInput {
  readonly project: Project;
  readonly options: ResolveOptions;
  readonly environment: EnvironmentNode;
  readonly index: ManifestIndex;
}

function contextOf({ project, options, environment, index }: ContextInput): ResolveContext {
  const scope = new Scope(scopeInput(environment, options));
  const { files, checks, lint, service } = project;
  return { environment, scope, files, checks, lint, index, resellerParameter: service.parameters.resellerId };
}

function scopeInput({ definition }: EnvironmentNode, { env, secrets }: ResolveOptions) {
  return { definition, env, secrets };
}

function environmentNode(project: Project, name: string): EnvironmentNode {
  const environments = memberOf(project.tree, 'environments');
  const member = environments?.type === 'map' ? environments.members.get(name) : undefined;
  if (member?.value.type === 'map') return { name, definition: member.value, at: member.key };
  const known = listOf(project.environments.map(quote), 'and');
  const hint = didYouMean(name, project.environments);
  throw new AgentformError(
    'environment-unknown',
    `${project.file} has no environment ${quote(name)}: it has ${known}${hint}`,
    {
      facts: { environment: name, environments: project.environments },
    },
  );
}

interface Gathered {
  /** By kind and name, each address once. */
  readonly manifests: readonly MergedManifest[];
  readonly index: ManifestIndex;
  readonly problems: readonly Problem[];
}

/** Reads and merges every manifest. Files that hold no resource with a name only give problems. */
function gatherManifests(project: Project, environment: string): Gathered {
  const input = { files: project.files, parsed: project.parsed, manifests: new Set(project.manifests) };
  const byAddress = new Map<string, MergedManifest>();
  const nameless: Array<KindName | undefined> = [];
  const problems: Problem[] = [];
  for (const path of project.manifests) {
    const file = project.parsed.get(path);
    const chain = followBases(file, input);
    problems.push(...chain.files.flatMap((one) => one.problems), ...chain.problems, ...nameProblems(file));
    const { resource } = file;
    if (resource?.name === undefined) {
      nameless.push(resource?.kind);
      continue;
    }
    const { kind, name, root } = resource;
    const address = addressOf({ kind, name });
    const first = byAddress.get(address);
    if (first !== undefined) problems.push(duplicateName(address, root, first.root));
    else byAddress.set(address, { kind, name, path, root, chain, merged: mergedSections(kind, chain, environment) });
  }
  const manifests = [...byAddress.values()].sort(byKindAndName);
  return { manifests, index: new ManifestIndex(manifests, nameless), problems };
}

function duplicateName(address: string, root: MapNode, first: MapNode): Problem {
  const place = (node: MapNode) => memberOf(node, 'name')?.at ?? node.at;
  const problem = errorAt(place(root), 'duplicate-name', `two manifests declare ${address}`);
  return { ...problem, also: { message: 'first here', at: place(first) } };
}

function byKindAndName(a: MergedManifest, b: MergedManifest): number {
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

function desiredOf({ chain }: MergedManifest, resolved: ResolvedManifest | undefined) {
  return isSound(chain) && resolved?.desired !== undefined ? [resolved.desired] : [];
}

function originsIn(resolved: ReadonlyMap<MergedManifest, ResolvedManifest>): Resolution['originOf'] {
  const trees = new Map([...resolved].map(([manifest, { tree }]) => [addressOf(manifest), tree]));
  return (address, pointer) => {
    const tree = trees.get(address);
    const node = tree === undefined ? undefined : nodeAt(tree, parsePointer(pointer));
    return node === undefined ? undefined : originOf(node);
  };
}

function originOf(node: Node): Origin {
  const place = { at: node.at, over: node.over ?? [] };
  if (node.type !== 'scalar') return place;
  const { from, raw } = node;
  return { ...place, ...(from === undefined ? {} : { file: from.path }), ...(raw === undefined ? {} : { raw }) };
}
