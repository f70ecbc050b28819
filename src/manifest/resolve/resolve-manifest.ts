import { type Kept, lazily, mostManifests, Recent, Remade } from '../../json/packed.ts';
import { addressOf, type Desired, type Target } from '../../kinds/desired.ts';
import { kindNamed } from '../../kinds/kind.ts';
import type { Labels } from '../../kinds/labels.ts';
import { secretReference } from '../../secrets/reference.ts';
import { quote } from '../../text/wording.ts';
import { secretOf } from '../../yaml/interpolate.ts';
import { applyLevels, hasErrors, type Problem } from '../../yaml/problem.ts';
import { type MapNode, mapNode, type ScalarNode } from '../../yaml/tree.ts';
import type { MergedManifest } from '../fleet/gather-manifests.ts';
import { hasNoErrors } from '../project/layers.ts';
import { placeOfName } from '../project/moves.ts';
import { mayBeUsedElsewhere, variablesIn } from '../project/variables.ts';
import { type ResourceEnvelope, resolveEnvelope } from './identity/envelope.ts';
import type { References } from './identity/references.ts';
import { idOf, type Targets } from './identity/target.ts';
import type { ManifestIdentity, ResolveContext } from './resolution.ts';
import {
  areSameIn,
  type CheckedSections,
  checkSections,
  fillSections,
  type PlacedSections,
  placeSections,
  type Sent,
  sentOf,
} from './values/sections.ts';
import { ValueResolver } from './values/value-resolver.ts';

/** A resolved manifest. With thousands, the tree is made again on request, and request bodies are packed. */
export interface ResolvedManifest {
  /** Absent where there are errors. */
  readonly target: Target | undefined;
  /** Absent where there are errors. */
  readonly desired: Desired<Target> | undefined;
  /** Sections, target and references, resolved. */
  readonly tree: MapNode;
  readonly problems: readonly Problem[];
  /** Whether the problems depend on which files there are that are not part of it. */
  readonly asksFiles: boolean;
}

interface KnownOfManifest {
  readonly references: References;
  readonly labels: Labels;
}

/** Resolves the manifests of an environment. */
export class ManifestResolver {
  readonly #context: ResolveContext;
  readonly #filled = new Recent<MergedManifest, FilledManifest>(mostManifests);
  readonly #sent = new Remade<Sent>();

  constructor(context: ResolveContext) {
    this.#context = context;
  }

  /** Inserts files, variables and secrets into a manifest and checks the result. */
  async resolve(manifest: MergedManifest, known: KnownOfManifest): Promise<ResolvedManifest> {
    const { kind, name } = manifest;
    const context = this.#contextOf(manifest);
    const { characters } = context.scope;
    const { placed, problems: found, asksFiles } = await checkedSections(manifest, context);
    const { resolver, envelope } = envelopeOf(manifest, known, context);
    const resolved = [...found, ...context.scope.atCells([...resolver.problems, ...envelope.problems])];
    const unused = hasErrors(resolved) ? [] : unusedVariables(manifest, context);
    const problems = [...resolved, ...applyLevels(unused, context.lint)];
    const { target, values } = hasErrors(problems) ? { target: undefined, values: {} } : envelope;
    const environment = context.environment.name;
    const own = manifest.labels.size === 0 ? {} : { labels: known.labels };
    if (placed !== undefined) this.#filled.set(manifest, { ...placed, envelope });
    const put = context.scope.characters - characters;
    const again = new RefilledManifest(this, { manifest, known, put });
    const desired = target && withSent({ kind, name, environment, target, ...values, ...own }, again);
    return withTree({ problems, asksFiles, target, desired }, again);
  }

  keepSent(sent: Sent): Kept<Sent> {
    return this.#sent.add(sent);
  }

  fill({ manifest, known, put }: Refilling): FilledManifest {
    const kept = this.#filled.get(manifest);
    if (kept !== undefined) return kept;
    const context = this.#contextOf(manifest);
    context.scope.addCharacters(-put);
    const { tree } = fillSections(manifest, context);
    const filled = { ...placeSections(manifest.kind, tree), envelope: envelopeOf(manifest, known, context).envelope };
    this.#filled.set(manifest, filled);
    return filled;
  }

  #contextOf(manifest: MergedManifest): ResolveContext {
    return { ...this.#context, scope: this.#context.scope.of(manifest) };
  }
}

interface Refilling {
  readonly manifest: MergedManifest;
  readonly known: KnownOfManifest;
  /** The number of inserted characters, which count once. */
  readonly put: number;
}

/** A manifest that was resolved: policies, pages and apply ask for parts of it when all manifests are known. */
class RefilledManifest {
  readonly #resolver: ManifestResolver;
  readonly #refilling: Refilling;
  #sent: Kept<Sent> | undefined;

  constructor(resolver: ManifestResolver, refilling: Refilling) {
    this.#resolver = resolver;
    this.#refilling = refilling;
  }

  get filled(): FilledManifest {
    return this.#resolver.fill(this.#refilling);
  }

  get sent(): Sent {
    this.#sent ??= this.#resolver.keepSent(sentOf(this.filled));
    return this.#sent.value;
  }
}

/** A resolved manifest. */
export interface FilledManifest extends PlacedSections {
  readonly envelope: ResourceEnvelope;
}

function envelopeOf(manifest: MergedManifest, { references }: KnownOfManifest, context: ResolveContext) {
  const resolver = new ValueResolver({ kind: manifest.kind, files: context.files, scope: context.scope });
  return { resolver, envelope: resolveEnvelope(manifest, references, { context, resolver }) };
}

const withTree = lazily<RefilledManifest, Pick<ResolvedManifest, 'tree'>>({
  tree({ filled: { sections, envelope } }) {
    return mapNode(sections.at, [...sections.members, ...envelope.members]);
  },
});

/** Request bodies are as large as everything else, and are read one after the other. */
const withSent = lazily<RefilledManifest, Required<Pick<Desired, 'sections' | 'sensitive' | 'unvalidated'>>>({
  sections: ({ sent }) => sent.sections,
  sensitive: ({ sent }) => new Set(sent.sensitive),
  unvalidated: ({ filled }) => filled.unvalidated,
});

/** Variables of a base may be for other manifests. */
function unusedVariables({ chain }: MergedManifest, { scope, environment: { name: environment } }: ResolveContext) {
  if (!hasNoErrors(chain)) return [];
  return [...variablesIn(chain, environment).over].flatMap(([name, { at }]): Problem[] => {
    if (scope.variablesAsked.has(name) || mayBeUsedElsewhere(chain, name, environment)) return [];
    const message = `the variable ${quote(name)} is not used: nothing here or in a base refers to \${var.${name}}`;
    return [{ severity: 'warning', rule: 'variable-unused', message, at }];
  });
}

/** In further environments, equal content is neither resolved nor checked again. */
async function checkedSections(
  manifest: MergedManifest,
  context: ResolveContext,
): Promise<CheckedSections & { readonly placed?: PlacedSections }> {
  const { scope, shared } = context;
  const known = shared.sections.get(addressOf(manifest));
  if (known !== undefined && areSameIn(known, manifest, scope)) return known;
  const filled = fillSections(manifest, context);
  const checked = await checkSections(manifest, filled, context);
  if (shared.isOfMany) shared.sections.set(addressOf(manifest), checked);
  shared.values += manifest.values;
  return { ...checked, placed: placeSections(manifest.kind, filled.tree) };
}

/** The identity of a manifest and its target. For a value with a secret it has the literal text. */
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
