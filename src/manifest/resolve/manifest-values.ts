import { isJsonObject, type JsonObject, withoutUndefined } from '../../json/json.ts';
import { addressOf, type Desired, type Target } from '../../kinds/desired.ts';
import type { FieldPath } from '../../kinds/field-path.ts';
import type { PromptChecks } from '../../prompts/prompt-checks.ts';
import { MaskedText } from '../../secrets/masked-text.ts';
import { mask } from '../../secrets/secret.ts';
import { type Node, nodeAt, parsePointer, shownValue, toJson } from '../../yaml/tree.ts';
import { mergedAgain } from '../fleet/units.ts';
import type { Project } from '../project/project.ts';
import { contentOf } from './content.ts';
import { promptChecksOf } from './fact-inputs.ts';
import { type ManifestFacts, nameManifest } from './facts.ts';
import type { Origin, Resolution, ResolveContext, ResolveOptions } from './resolution.ts';
import { desiredOf, type FilledManifest, fillManifest, type NamedManifest } from './resolve-manifest.ts';
import { placeAt, provenanceOf, sourceAt, sourceValueAt, variablesAt } from './values/provenance.ts';
import { Scope } from './values/scope.ts';
import { promptProblemsAt } from './values/sections.ts';

interface QueriesInput {
  readonly project: Project;
  readonly env: ResolveOptions['env'];
  readonly context: ResolveContext;
  /** All facts about each manifest, keyed by address. */
  readonly found: ReadonlyMap<string, ManifestFacts>;
}

/** The maximum number of resources whose values are cached. The parsed manifests of the others are freed. */
const maxFilled = 100;

/**
 * Answers the queries of a Resolution that need a resource's values, which are resolved on demand. The queries are arrow
 * functions, because a Resolution copies them.
 */
export class ManifestValues {
  readonly #input: QueriesInput;
  readonly #recent = new Map<string, FilledManifest>();
  #prompts: PromptChecks | undefined;

  constructor(input: QueriesInput) {
    this.#input = input;
  }

  /** Makes a query about a resource. The query returns undefined for a resource that is not selected. */
  #query<Question extends readonly unknown[], Answer>(answer: (filled: FilledManifest, ...of: Question) => Answer) {
    return (address: string, ...question: Question): Answer | undefined => {
      const filled = this.#filledAt(address);
      return filled && answer(filled, ...question);
    };
  }

  readonly placeAt: Resolution['placeAt'] = this.#query(placeAt);
  readonly sourceAt: Resolution['sourceAt'] = this.#query(sourceAt);
  readonly sourceValueAt: Resolution['sourceValueAt'] = this.#query(sourceValueAt);

  readonly desiredOf: Resolution['desiredOf'] = (address) => {
    const filled = this.#filledAt(address);
    const selected = this.#input.found.get(address)?.resolved?.selected;
    if (filled === undefined || selected === undefined) throw new Error(`${address} is not selected`);
    return desiredOf(selected, filled);
  };

  readonly originOf: Resolution['originOf'] = this.#query(({ tree }, pointer: string) => {
    const node = nodeAt(tree, parsePointer(pointer));
    return node && originIn(node);
  });

  readonly policyView: Resolution['policyView'] = (one) =>
    desiredView(one, (pointer) => this.originOf(addressOf(one), pointer)?.masked);

  readonly variablesAt: Resolution['variablesAt'] = (address, path) => {
    const filled = this.#filledAt(address);
    return filled === undefined ? new Map() : variablesAt(filled, path);
  };

  readonly promptProblemsAt: Resolution['promptProblemsAt'] = async (address, paths) => {
    const filled = this.#filledAt(address);
    if (filled === undefined) return [];
    this.#prompts ??= promptChecksOf(this.#input.project, 'all');
    const { manifest, tree, scope } = filled;
    return promptProblemsAt(manifest, { tree, paths }, { ...this.#input.context, scope, prompts: this.#prompts });
  };

  readonly provenanceOf: Resolution['provenanceOf'] = this.#query((filled, path: FieldPath) =>
    provenanceOf({ ...filled, environment: this.#input.context.environment.name }, path),
  );

  readonly variableOf: Resolution['variableOf'] = (address, name) => {
    const manifest = (this.#recent.get(address) ?? this.#namedAt(address))?.manifest;
    const variable = manifest && this.#input.context.scope.of(manifest).variable(name);
    if (variable === undefined) return undefined;
    const { text, at } = variable;
    const column = variable.isCell && manifest?.row?.table.columns.get(name);
    const places = at === undefined ? {} : { at: column || at, valueAt: at };
    return { text, ...places, ...(column && { isColumn: true as const }) };
  };

  readonly shownValuesOf: Resolution['shownValuesOf'] = this.#query(({ tree }) => {
    const values = toJson(tree, shownValue);
    return isJsonObject(values) ? values : undefined;
  });

  readonly contentOf: Resolution['contentOf'] = this.#query(({ manifest }) => {
    const { project, context, env } = this.#input;
    // Use a separate scope, which counts its own insertions and has no secret values.
    const scope = new Scope({ environment: context.environment, env, secrets: 'names' });
    return contentOf(manifest, { files: project.files, scope: scope.of(manifest) });
  });

  #namedAt(address: string): NamedManifest | undefined {
    const { context, found } = this.#input;
    const one = found.get(address);
    if (one?.resolved === undefined) return undefined;
    return nameManifest(mergedAgain(one, context.environment.name, context.reader), context);
  }

  #filledAt(address: string): FilledManifest | undefined {
    const known = this.#recent.get(address);
    if (known !== undefined) return known;
    const { context, project } = this.#input;
    const one = this.#namedAt(address);
    if (one === undefined) return undefined;
    const { filled } = fillManifest(one, { ...context, scope: context.scope.of(one.manifest) });
    for (const [oldest, { manifest }] of this.#recent) {
      if (this.#recent.size < maxFilled) break;
      this.#recent.delete(oldest);
      // Keeps the tree of a template, because all members of the fleet share it.
      if (manifest.row === undefined) project.parsed.forget([manifest.path]);
    }
    this.#recent.set(address, filled);
    return filled;
  }
}

function originIn(node: Node): Origin {
  const place = { at: node.at, over: node.over ?? [] };
  if (node.type !== 'scalar') return place;
  const { from, raw, masked } = node;
  const file = from === undefined ? {} : { file: from.path };
  return { ...place, ...file, ...withoutUndefined({ raw, masked }) };
}

/**
 * The view of a manifest for policy expressions. `settings` and `labels` always exist. Other sections exist only if
 * they are declared. Secrets are hidden, so that no expression or message can contain a secret.
 */
function desiredView(
  desired: Desired<Target>,
  maskedAt: (pointer: string) => MaskedText | undefined,
): Readonly<Record<string, unknown>> {
  const { sections, sensitive, kind, name, environment, labels = {} } = desired;
  const { organization, agent, memberId, resellerId } = desired;
  return {
    settings: {},
    ...(sensitive.size === 0 ? sections : withMaskedSecrets(sections, sensitive, maskedAt)),
    ...{ kind, name, environment, labels },
    ...withoutUndefined({ organization, agent, memberId, resellerId }),
  };
}

function withMaskedSecrets(
  sections: JsonObject,
  sensitive: ReadonlySet<string>,
  maskedAt: (pointer: string) => MaskedText | undefined,
): object {
  return [...sensitive].reduce<object>((whole, pointer) => {
    const masked = maskedAt(pointer) ?? new MaskedText([{ reference: mask }]);
    return withValueAt(whole, parsePointer(pointer), masked);
  }, sections);
}

function withValueAt(whole: object, [step = '', ...others]: readonly string[], value: MaskedText): object {
  const put = (inner: unknown) =>
    others.length > 0 && typeof inner === 'object' && inner !== null ? withValueAt(inner, others, value) : value;
  if (Array.isArray(whole)) return whole.map((item: unknown, index) => (String(index) === step ? put(item) : item));
  return Object.fromEntries(
    Object.entries(whole).map(([name, inner]: [string, unknown]) => [name, name === step ? put(inner) : inner]),
  );
}
