import { addressOf, type Desired, type Target } from '../../kinds/desired.ts';
import { kindNamed } from '../../kinds/kind.ts';
import type { Labels } from '../../kinds/labels.ts';
import { secretReference } from '../../secrets/reference.ts';
import { quote } from '../../text/wording.ts';
import { applyLevels } from '../check/lint-levels.ts';
import type { MergedManifest } from '../project/gather-manifests.ts';
import { hasNoErrors } from '../project/layers.ts';
import { placeOfName } from '../project/moves.ts';
import { mayBeUsedElsewhere, variablesIn } from '../project/variables.ts';
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
  /** Absent where there are errors. */
  readonly target?: Target;
  /** Absent where there are errors. Made when it is asked for: who only checks manifests does without. */
  readonly desired?: () => Desired<Target>;
  /** Sections, target and references with everything put in. */
  readonly tree: MapNode;
  readonly problems: readonly Problem[];
  /** Whether the problems depend on which files there are that are not part of it. */
  readonly asksFiles: boolean;
}

/** Puts files, variables and secrets into a manifest and checks what comes out. */
export async function resolveManifest(
  manifest: MergedManifest,
  { references, labels }: { readonly references: References; readonly labels: Labels },
  inEnvironment: ResolveContext,
): Promise<ResolvedManifest> {
  const { kind, name } = manifest;
  const context = { ...inEnvironment, scope: inEnvironment.scope.of(manifest) };
  const { tree: sections, problems: found, sent, asksFiles } = await sectionsOf(manifest, context);
  const resolver = new ValueResolver({ kind, files: context.files, scope: context.scope });
  const envelope = resolveEnvelope(manifest, references, { context, resolver });
  const tree = mapNode(sections.at, [...sections.members, ...envelope.members]);
  const beside = context.scope.atCells([...resolver.problems, ...envelope.problems]);
  const resolved = [...found, ...beside];
  const unused = hasErrors(resolved) ? [] : unusedVariables(manifest, context);
  const problems = [...resolved, ...applyLevels(unused, context.lint)];
  if (envelope.target === undefined || hasErrors(problems)) return { tree, problems, asksFiles };
  const { target, values } = envelope;
  const environment = context.environment.name;
  const own = manifest.labels.size === 0 ? {} : { labels };
  const desired = () => ({ kind, name, environment, target, ...values, ...own, ...sent() });
  return { target, desired, tree, problems, asksFiles };
}

/** What a base declares may be for other manifests. */
function unusedVariables({ chain }: MergedManifest, { scope, environment: { name: environment } }: ResolveContext) {
  if (!hasNoErrors(chain)) return [];
  return [...variablesIn(chain, environment).over].flatMap(([name, { at }]): Problem[] => {
    if (scope.variablesAsked.has(name) || mayBeUsedElsewhere(chain, name, environment)) return [];
    const message = `the variable ${quote(name)} is not used: nothing here or in a base refers to \${var.${name}}`;
    return [{ severity: 'warning', rule: 'variable-unused', message, at }];
  });
}

async function sectionsOf(manifest: MergedManifest, context: ResolveContext): Promise<ResolvedSections> {
  const { scope, shared } = context;
  const known = shared.sections.get(addressOf(manifest));
  if (known !== undefined && areSameIn(known, manifest, scope)) return known;
  const sections = await resolveSections(manifest, context);
  shared.sections.set(addressOf(manifest), sections);
  shared.values += manifest.values;
  return sections;
}

/** Who a manifest is and what it would hit. Of a value that holds a secret it has the text as written. */
export function identify(
  manifest: MergedManifest,
  { references, labels }: { readonly references: References; readonly labels: Labels },
  targets: Targets,
): ManifestIdentity {
  const { organization, agent, owner } = references;
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
    home: manifest.row === undefined ? path : manifest.home,
    at: placeOfName(manifest),
    labels,
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
