import { isJsonObject } from '../../json/json.ts';
import type { Desired } from '../../kinds/desired.ts';
import type { KindName } from '../../schemas/fields.ts';
import { applyLevels } from '../check/lint-levels.ts';
import { resolvedProblems, withoutShadowed } from '../check/resource.ts';
import { ResourceView } from '../check/resource-view.ts';
import { keysAt } from '../check/unknown-key.ts';
import type { ValueChecks } from '../check/values.ts';
import type { MergedManifest } from '../project/gather-manifests.ts';
import type { ProjectFiles } from '../project/project-files.ts';
import type { CheckedResource, PromptChecks } from '../prompts/prompt-checks.ts';
import type { Problem } from '../syntax/problem.ts';
import type { LintLevel } from '../syntax/rules.ts';
import { formatPointer, type MapNode, mapNode, scalarsOf, toJson } from '../syntax/tree.ts';
import type { Scope } from './scope.ts';
import { mostCharacters, ValueResolver } from './value-resolver.ts';

/** The sections of a manifest with everything put in, and all that decided what they come to. */
export interface ResolvedSections {
  readonly tree: MapNode;
  readonly problems: readonly Problem[];
  /** Whether the problems depend on which files there are that are not part of it. */
  readonly asksFiles: boolean;
  /** What is sent of them; made when it is first asked for. */
  readonly sent: () => Pick<Desired, 'sections' | 'sensitive'>;
  readonly merged: MapNode;
  readonly from: Pick<ValueResolver, 'variables' | 'secrets' | 'characters'>;
}

export interface SectionsContext {
  readonly scope: Scope;
  readonly files: ProjectFiles;
  readonly checks: ValueChecks;
  readonly lint: Readonly<Record<string, LintLevel>>;
  readonly prompts: PromptChecks;
}

/** Puts files, variables and secrets into the sections of a manifest and checks what comes out. */
export async function resolveSections(manifest: MergedManifest, context: SectionsContext): Promise<ResolvedSections> {
  const { kind, root, chain, merged } = manifest;
  const resolver = new ValueResolver({ kind, files: context.files, scope: context.scope });
  const tree = sectionsIn(manifest, resolver);
  const known = chain.files.flatMap(({ problems }) => problems.flatMap(({ at }) => at ?? []));
  const found = await resolvedProblems({ kind, root, sections: tree, isWhole: chain.isWhole, known }, context.checks);
  let asksFiles = false;
  const hasFile = (from: string, reference: string): boolean => {
    asksFiles = true;
    return context.files.hasReference(from, reference);
  };
  const ofTexts = await promptProblems(manifest, tree, { ...context, hasFile });
  const problems = [
    ...context.scope.atCells([...resolver.problems, ...applyLevels(found, context.lint)]),
    ...applyLevels(ofTexts, context.lint),
  ];
  let sent: ReturnType<ResolvedSections['sent']> | undefined;
  return { tree, problems, asksFiles, sent: () => (sent ??= sentOf(kind, tree)), merged, from: resolver };
}

/** Their places are those of the files that the texts come from, cells included. */
function promptProblems(
  { kind }: MergedManifest,
  tree: MapNode,
  { scope, files, prompts, hasFile }: SectionsContext & Pick<CheckedResource, 'hasFile'>,
): Promise<Problem[]> {
  return prompts.problems({
    kind,
    tree,
    variable: (name) => scope.variable(name),
    source: (path) => files.source(path),
    hasFile,
  });
}

function sentOf(kind: KindName, sections: MapNode): ReturnType<ResolvedSections['sent']> {
  const sent = withoutShadowed(kind, sections, new ResourceView(kind, sections));
  const json = toJson(sent);
  return { sections: isJsonObject(json) ? json : {}, sensitive: sensitivePointers(sent) };
}

function sensitivePointers(sections: MapNode): ReadonlySet<string> {
  const pointers = new Set<string>();
  for (const [steps, { sensitive }] of scalarsOf(sections)) if (sensitive) pointers.add(formatPointer(steps));
  return pointers;
}

/**
 * Whether the sections come to the same in the environment of a scope, where the same is merged and every variable in
 * it has the same value. If so, the scope is told what was asked for and how much was put in.
 */
export function areSameIn({ merged, from }: ResolvedSections, manifest: MergedManifest, scope: Scope): boolean {
  const isSame = merged === manifest.merged && [...from.variables].every(([name, was]) => scope.isStill(name, was));
  if (!isSame || scope.characters + from.characters > mostCharacters.all) return false;
  scope.addCharacters(from.characters);
  for (const name of from.secrets) scope.secret(name);
  return true;
}

/** The members of a manifest that `resolveEnvelope` looks at. */
const besideSections: ReadonlySet<string> = new Set(['target', 'organization', 'agent', 'memberId', 'resellerId']);

/** Of a section that the kind does not have nothing more is said. */
function sectionsIn({ kind, merged }: MergedManifest, resolver: ValueResolver): MapNode {
  const known = keysAt(kind, []);
  const members = [...merged.members].filter(([name]) => known.includes(name) && !besideSections.has(name));
  const resolved = resolver.resolve({ ...merged, members: new Map(members) }, []);
  return resolved.type === 'map' ? resolved : mapNode(merged.at, []);
}
