import type { FieldPath } from '../../../kinds/field-path.ts';
import type { CheckedResource } from '../../../prompts/material.ts';
import type { PromptChecks } from '../../../prompts/prompt-checks.ts';
import { applyLevels, type Problem } from '../../../yaml/problem.ts';
import type { LintLevel } from '../../../yaml/rules.ts';
import { type MapNode, mapNode, namesAround, scalarsOf } from '../../../yaml/tree.ts';
import type { ValueChecks } from '../../../yaml/values.ts';
import { keysAt, namesMeant } from '../../../yaml/violations.ts';
import { resolvedProblems, withExtraSettings } from '../../check/resource.ts';
import type { MergedManifest } from '../../fleet/units.ts';
import { type Chain, problemsOf } from '../../project/layers.ts';
import type { ProjectFiles } from '../../project/project-files.ts';
import { nodeOnPath } from './provenance.ts';
import type { Scope } from './scope.ts';
import { ValueResolver } from './value-resolver.ts';

/** The result of checking resolved sections, with the variables and secrets that were inserted. */
export interface CheckedSections {
  readonly problems: readonly Problem[];
  readonly from: Pick<ValueResolver, 'variables' | 'secrets' | 'characters'>;
}

interface SectionsContext {
  readonly scope: Scope;
  readonly files: ProjectFiles;
  readonly checks: ValueChecks;
  readonly lint: Readonly<Record<string, LintLevel>>;
  readonly prompts: PromptChecks;
}

/** The sections after all insertions, and the resolver with the problems that it found. */
interface FilledSections {
  readonly tree: MapNode;
  readonly resolver: ValueResolver;
}

/** Inserts files, variables and secrets into the sections of a manifest. */
export function fillSections(
  manifest: MergedManifest,
  { scope, files }: Pick<SectionsContext, 'scope' | 'files'>,
): FilledSections {
  const { kind, merged } = manifest;
  const resolver = new ValueResolver({ kind, files, scope });
  // Skip sections that the kind does not have, because they were already reported.
  const known = keysAt(kind, []);
  const members = [...merged.members].filter(([name]) => known.includes(name) && !besideSections.has(name));
  const resolved = resolver.resolve({ ...merged, members: new Map(members) }, []);
  return { tree: resolved.type === 'map' ? resolved : mapNode(merged.at, []), resolver };
}

/** Fills and checks the sections of a manifest. */
export async function checkSections(
  manifest: MergedManifest,
  context: SectionsContext,
): Promise<CheckedSections & Pick<FilledSections, 'tree'>> {
  const { kind, root, chain } = manifest;
  const { tree, resolver } = fillSections(manifest, context);
  const errors = problemsOf(chain).filter(({ severity }) => severity === 'error');
  const reported = [...errors.flatMap(({ at }) => at ?? []), ...resolver.reported];
  const meant = namesMeant(errors.filter((problem) => !isOfAnotherOverlay(problem, chain, context.scope)));
  const found = await resolvedProblems(
    { kind, root, sections: tree, isWhole: chain.isWhole, reported, meant },
    context.checks,
  );
  const ofTexts = await promptProblems(manifest, withExtraSettings(kind, tree), context);
  const problems = [
    ...context.scope.atCells([...resolver.problems, ...applyLevels(found, context.lint)]),
    ...applyLevels(ofTexts, context.lint),
  ];
  const { variables, secrets, characters } = resolver;
  return { problems, from: { variables, secrets, characters }, tree };
}

/** Whether a problem is in an overlay for an environment other than that of the scope. */
function isOfAnotherOverlay({ at }: Problem, { files }: Chain, { environment }: Scope): boolean {
  const root = files.find(({ path }) => path === at?.file)?.resource?.root;
  const [section, overlay] = root === undefined || at === undefined ? [] : namesAround(root, at.offset);
  return section === 'environments' && overlay !== environment;
}

/** Runs prompt checks, with the project's levels, on the texts at the given paths of a resolved tree. */
export async function promptProblemsAt(
  manifest: MergedManifest,
  { tree, paths }: { readonly tree: MapNode; readonly paths: readonly FieldPath[] },
  context: SectionsContext,
): Promise<Problem[]> {
  const sections = mapNode(
    tree.at,
    [...tree.members].filter(([name]) => !besideSections.has(name)),
  );
  const nodes = paths.flatMap((path) => nodeOnPath(manifest.kind, sections, path) ?? []);
  const only = new Set(nodes.flatMap((node) => scalarsOf(node).map(([, scalar]) => scalar)));
  if (only.size === 0) return [];
  return applyLevels(await promptProblems(manifest, sections, { ...context, only }), context.lint);
}

/** Finds prompt problems. Each problem points to the file that contains the text, or to a table cell. */
function promptProblems(
  { kind }: MergedManifest,
  tree: MapNode,
  { scope, files, prompts, only }: SectionsContext & Pick<CheckedResource, 'only'>,
): Promise<Problem[]> {
  return prompts.problems({
    kind,
    tree,
    ...(only && { only }),
    variable: (name) => scope.variable(name),
    source: (path) => files.source(path),
    hasFile: (from, reference) => files.hasReference(from, reference),
  });
}

/**
 * Whether checked sections are also valid in the scope's environment, because all variables have the same values in it
 * and the size limit allows them. If so, adds the secrets and characters of the sections to the scope.
 */
export function areSameIn({ from }: CheckedSections, scope: Scope): boolean {
  const isSame = [...from.variables].every(([name, was]) => scope.isStill(name, was));
  if (!isSame || scope.size.characters + from.characters > scope.size.max) return false;
  scope.size.characters += from.characters;
  for (const name of from.secrets) scope.secret(name);
  return true;
}

/** Members outside the sections. `resolveEnvelope` resolves these members. */
const besideSections: ReadonlySet<string> = new Set(['target', 'organization', 'agent', 'memberId', 'resellerId']);
