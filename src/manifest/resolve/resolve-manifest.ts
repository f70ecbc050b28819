import { cached, formatPointer, isJsonObject, withoutUndefined } from '../../json/json.ts';
import { addressOf, type Desired, type Target } from '../../kinds/desired.ts';
import { settingNamed } from '../../kinds/field-path.ts';
import { kindNamed } from '../../kinds/kind.ts';
import type { Labels } from '../../kinds/labels.ts';
import { mayBePastedSecret, secretReference } from '../../secrets/secret.ts';
import { quote } from '../../text/wording.ts';
import { isSpecial, secretOf } from '../../yaml/interpolate.ts';
import { applyLevels, hasErrors, type Problem, withoutPastedSecrets, withoutText } from '../../yaml/problem.ts';
import {
  isText,
  type MapNode,
  mapNode,
  memberOf,
  membersIn,
  nodeAt,
  type ScalarNode,
  scalarsOf,
  toJson,
} from '../../yaml/tree.ts';
import { labelValueProblems } from '../check/authored.ts';
import { withExtraSettings } from '../check/resource.ts';
import type { MergedManifest, UnitHead } from '../fleet/units.ts';
import { hasNoErrors } from '../project/layers.ts';
import { placeOfName } from '../project/moves.ts';
import type { Project } from '../project/project.ts';
import type { ProjectFiles } from '../project/project-files.ts';
import { type Input, Trace } from '../project/trace.ts';
import { mayBeUsedElsewhere, variablesIn, variableUse } from '../project/variables.ts';
import { declaredBy } from './content.ts';
import { type ResourceEnvelope, resolveEnvelope } from './identity/envelope.ts';
import type { References } from './identity/references.ts';
import { idOf, type Targets } from './identity/target.ts';
import type { Declared, ManifestIdentity, ResolveContext, Selected } from './resolution.ts';
import type { Scope } from './values/scope.ts';
import { areSameIn, type CheckedSections, checkSections, fillSections } from './values/sections.ts';
import { ValueResolver } from './values/value-resolver.ts';

export interface NamedManifest {
  readonly manifest: MergedManifest;
  readonly references: References;
  /** The manifest of the resource's organization, if any. */
  readonly organization: UnitHead | undefined;
  readonly labels: ResolvedLabels;
}

export interface ResolvedManifest {
  readonly problems: readonly Problem[];
  readonly declared: Declared;
  /** The resource. Absent if the manifest has errors. */
  readonly selected: Selected | undefined;
}

/** A manifest with resolved values. Such a manifest is made only if a run needs the values. */
export interface FilledManifest {
  readonly manifest: MergedManifest;
  readonly scope: Scope;
  /** The resolved sections, target and references. */
  readonly tree: MapNode;
  /**
   * The sections. A known setting is in the section that it belongs to, even if the manifest has it under
   * `extraSettings`.
   */
  readonly sections: MapNode;
  /** The names of known settings under `extraSettings`. These settings are not validated. */
  readonly unvalidated: readonly string[];
}

/** Resolves a manifest: inserts files, variables and secrets, and checks the result. */
export async function resolveManifest(named: NamedManifest, context: ResolveContext): Promise<ResolvedManifest> {
  const { manifest, references, organization, labels } = named;
  const { kind, name } = manifest;
  const own = { ...context, scope: context.scope.of(manifest) };
  const { problems: ofSections, from, tree } = await checkedSections(manifest, own);
  const { filled, resolver, envelope } = fillManifest(named, own, tree);
  const resolved = [...ofSections, ...own.scope.atCells([...resolver.problems, ...envelope.problems])];
  const unused = hasErrors(resolved) ? [] : unusedVariables(manifest, own);
  const found = [...resolved, ...applyLevels(unused, context.lint)];
  // These problems may be kept for later runs.
  const problems = withoutPastedSecrets(found, (path) => context.files.source(path));
  const { target, values } = hasErrors(problems) ? { target: undefined, values: {} } : envelope;
  const declared = declaredBy(manifest, { tree: filled.tree, target, owner: references.owner, organization });
  if (target === undefined || declared.digest === undefined) return { problems, declared, selected: undefined };
  const secrets = [...from.secrets, ...envelope.secrets, ...(target.tokenName === undefined ? [] : [target.tokenName])];
  const title = nodeAt(filled.sections, ['settings', 'title']);
  const isTitle = isText(title) && !title.sensitive && !title.opaque;
  const selected = {
    ...{ kind, name, environment: context.environment.name, target, ...values },
    ...(manifest.labels.size > 0 && { labels: labels.labels }),
    file: manifest.path,
    declared: declared.digest,
    secrets: [...new Set(secrets)],
    ...(isTitle && { title: String(title.value) }),
  };
  return { problems, declared, selected };
}

/** Resolves the values of a manifest that was already checked. Reuses the sections in `known`, if it is given. */
export function fillManifest(
  { manifest, references }: Pick<NamedManifest, 'manifest' | 'references'>,
  context: ResolveContext,
  known?: MapNode,
): { readonly filled: FilledManifest; readonly resolver: ValueResolver; readonly envelope: ResourceEnvelope } {
  const { kind } = manifest;
  const { scope, files } = context;
  const { characters } = scope.size;
  const tree = known ?? fillSections(manifest, context).tree;
  const resolver = new ValueResolver({ kind, files, scope });
  const envelope = resolveEnvelope(manifest, references, { context, resolver });
  // These insertions were already counted when the sections were checked.
  if (known === undefined) scope.size.characters = characters;
  const sections = withExtraSettings(kind, tree);
  const names = [...membersIn(memberOf(tree, 'extraSettings')).keys()];
  const unvalidated = names.filter((name) => settingNamed(kind, name) !== undefined);
  const whole = mapNode(sections.at, [...sections.members, ...envelope.members]);
  const filled: FilledManifest = { manifest, scope, tree: whole, sections, unvalidated };
  return { filled, resolver, envelope };
}

/** Combines a selected resource with its values. */
export function desiredOf(selected: Selected, filled: FilledManifest): Desired<Target> {
  const { file: _, declared: __, secrets: ___, title: ____, ...own } = selected;
  const json = toJson(filled.sections);
  const secret = scalarsOf(filled.sections).filter(([, scalar]) => scalar.sensitive);
  return {
    ...own,
    sections: isJsonObject(json) ? json : {},
    sensitive: new Set(secret.map(([steps]) => formatPointer(steps))),
    unvalidated: filled.unvalidated,
  };
}

/**
 * Reports unused variables of a manifest. Skips variables that another manifest or environment may use, such as the
 * variables of a base.
 */
function unusedVariables({ chain }: MergedManifest, { scope, environment: { name: environment } }: ResolveContext) {
  if (!hasNoErrors(chain)) return [];
  return [...variablesIn(chain, environment).over].flatMap(([name, { at }]): Problem[] => {
    if (scope.variablesAsked.has(name) || mayBeUsedElsewhere(variableUse(chain, environment), name)) return [];
    const message = `the variable ${quote(name)} is not used: nothing here or in a base refers to \${var.${name}}`;
    const unused = { severity: 'warning', rule: 'variable-unused', message, at } as const;
    // The place is that of the value, so the name is checked here.
    return [mayBePastedSecret(name) ? withoutText(unused) : unused];
  });
}

/** Checked sections, with the inputs that they depend on. */
type KnownSections = CheckedSections & { readonly inputs: readonly Input[] };

const knownSections = new WeakMap<Project, Map<string, KnownSections>>();

/**
 * Checks the sections of a manifest. Reuses the result of another environment in which all inserted values are the
 * same.
 */
async function checkedSections(
  manifest: MergedManifest,
  context: ResolveContext,
): Promise<CheckedSections & { readonly tree?: MapNode }> {
  const { basis, project, prompts, scope, trace } = context;
  if (trace === undefined || project.environments.length === 1) return checkSections(manifest, context);
  const ofProject = cached(knownSections, project, () => new Map<string, KnownSections>());
  const key = JSON.stringify([
    basis,
    prompts.wanted,
    addressOf(manifest),
    manifest.overlaidFor,
    manifest.row?.digest(),
  ]);
  const known = ofProject.get(key);
  if (known !== undefined && areSameIn(known, scope)) {
    trace.include(known.inputs);
    return known;
  }
  const own = new Trace(trace);
  const checked = await checkSections(manifest, { ...context, files: project.files.noting(own) });
  const { tree: _, ...kept } = checked;
  ofProject.set(key, { ...kept, inputs: own.inputs });
  return checked;
}

/** Determines the identity and target of a manifest. A value with a secret is represented by its reference. */
export function identify(
  { manifest, references, labels: { labels } }: NamedManifest,
  targets: Targets,
): ManifestIdentity {
  const { organization, agent, owner, username } = references;
  const { kind, name, path } = manifest;
  const aimed = owner ?? manifest;
  const { query, token, ...ids } = targets.of(aimed, aimed.merged).nodes;
  const { hasIdInTarget } = kindNamed(kind);
  const agentId = hasIdInTarget ? idOf(ids.agentId) : undefined;
  const campaignId = hasIdInTarget ? idOf(ids.campaignId) : undefined;
  const secret = secretOf(token);
  const shown = (node: ScalarNode) => (node.sensitive || node.opaque ? (node.raw ?? '') : String(node.value));
  return {
    ...{ kind, name, file: path },
    ownFile: manifest.row === undefined ? path : manifest.ownFile,
    at: placeOfName(manifest),
    labels,
    renamedFrom: manifest.renamedFrom,
    ...(organization === undefined ? {} : { organization: String(organization.value) }),
    ...(agent === undefined ? {} : { agent: String(agent.value) }),
    ...withoutUndefined({ username, agentId, campaignId }),
    query: Object.fromEntries([...query].map(([key, node]) => [key, shown(node)])),
    token: secret === undefined ? undefined : secretReference(secret),
  };
}

interface ResolvedLabels {
  /** The labels with known values. */
  readonly labels: Labels;
  readonly problems: readonly Problem[];
}

const none: ResolvedLabels = { labels: {}, problems: [] };

/** Resolves the labels of a manifest. Reports labels with secrets, because labels are displayed. */
export function resolveLabels(
  manifest: MergedManifest,
  { scope, files }: { readonly scope: Scope; readonly files: ProjectFiles },
): ResolvedLabels {
  if (manifest.labels.size === 0) return none;
  const resolver = new ValueResolver({ kind: manifest.kind, files, scope: scope.of(manifest) });
  const problems: Problem[] = [];
  const entries = [...manifest.labels].flatMap(([key, node]): Array<[string, string]> => {
    const label = resolver.scalar(node, { asText: true, noSecret: 'a label' });
    if (label.opaque) return [];
    const found = isSpecial(String(node.value)) ? labelValueProblems(key, label) : [];
    problems.push(...found);
    return found.length === 0 ? [[key, String(label.value)]] : [];
  });
  const found = scope.of(manifest).atCells([...resolver.problems, ...problems]);
  return { labels: Object.fromEntries(entries), problems: found };
}
