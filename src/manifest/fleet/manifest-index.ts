import { addressOf } from '../../kinds/desired.ts';
import type { KindName } from '../../schemas/fields.ts';
import { nearest } from '../../text/suggest.ts';
import { joinWithAnd, quote } from '../../text/wording.ts';
import { errorAt, type Problem } from '../../yaml/problem.ts';
import type { ScalarNode } from '../../yaml/tree.ts';
import { digestOf, type Trace } from '../project/trace.ts';
import type { GatheredUnit, UnitHead } from './units.ts';

interface Indexed {
  readonly manifests: readonly GatheredUnit[];
  /** The resources that exist only in other environments. */
  readonly elsewhere: readonly GatheredUnit[];
  readonly environment: string;
  /** The kinds of the manifests with unknown names. An entry is undefined if the kind is also unknown. */
  readonly nameless: readonly (KindName | undefined)[];
}

interface Reference {
  readonly reference: ScalarNode;
  readonly kind: KindName;
  /** The path of the reference in its manifest. */
  readonly path: string;
}

/** Finds the manifests of an environment by kind and name, to resolve references between them. */
export class ManifestIndex {
  readonly #indexed: Indexed;
  /** The number of manifests in the environment. */
  readonly size: number;
  /** Units by address. Built on first use, because most projects have no references. */
  readonly #byAddress: { manifests?: Map<string, GatheredUnit>; elsewhere?: Map<string, GatheredUnit> } = {};
  /** For traces, a digest of all addresses with their locations, and of the manifests with unknown names. */
  #names: string | undefined;

  constructor(indexed: Indexed) {
    this.#indexed = indexed;
    this.size = indexed.manifests.length;
  }

  /** Finds a manifest of the environment. Notes the query in the trace. */
  find(kind: KindName, name: string, trace?: Trace): GatheredUnit | undefined {
    const address = addressOf({ kind, name });
    trace?.note('unit', address, this.answerOf('unit', address));
    return this.#at(address, 'manifests');
  }

  #at(address: string, where: 'manifests' | 'elsewhere'): GatheredUnit | undefined {
    this.#byAddress[where] ??= new Map(this.#indexed[where].map((one) => [addressOf(one.head), one]));
    return this.#byAddress[where].get(address);
  }

  /** The answer to a query, in the form that a trace stores. */
  answerOf(kind: 'unit' | 'units', address: string): string {
    if (kind === 'units') {
      this.#names ??= namesOf(this.#indexed);
      return this.#names;
    }
    const found = this.#at(address, 'manifests') ?? this.#at(address, 'elsewhere');
    if (found === undefined) return 'none';
    const { unit, head } = found;
    const { at, onlyIn, onlyAt, overrides, isSound, taken } = head;
    return digestOf(JSON.stringify([unit.file, unit.key, at, onlyIn, onlyAt, overrides, isSound, taken]));
  }

  /** Reports a reference without a target. Skips references whose target may be a manifest with an unknown name. */
  problemsOf({ reference, kind, path }: Reference, trace: Trace | undefined): Problem[] {
    const name = String(reference.value);
    if (this.find(kind, name, trace) !== undefined) return [];
    const limited = this.#at(addressOf({ kind, name }), 'elsewhere');
    if (limited !== undefined) return [this.#notHere(reference, limited.head, path)];
    trace?.note('units', '', this.answerOf('units', ''));
    const { nameless, manifests } = this.#indexed;
    if (nameless.some((known) => known === undefined || known === kind)) return [];
    const heads = manifests.map(({ head }) => head);
    const ofKind = heads.filter((head) => head.kind === kind);
    const near = nearest(
      name,
      ofKind.map((head) => head.name),
    );
    const meant = near === undefined ? undefined : ofKind.find((head) => head.name === near);
    const namesake = meant === undefined ? heads.find((head) => head.name === name) : undefined;
    const problem = errorAt(
      reference.at,
      'reference-unknown',
      `${path} is ${quote(name)}: ${reasonFor(kind, { meant, namesake, isAny: ofKind.length > 0 })}`,
    );
    const shown = meant ?? namesake;
    return [shown === undefined ? problem : { ...problem, also: { message: addressOf(shown), at: shown.at } }];
  }

  #notHere(reference: ScalarNode, limited: UnitHead, path: string): Problem {
    const message =
      `${path} is ${quote(limited.name)}, but onlyIn limits ${addressOf(limited)} to ` +
      `${joinWithAnd((limited.onlyIn ?? []).map(quote))}, so ${quote(this.#indexed.environment)} does not have it; ` +
      'write the same onlyIn in this manifest, or add the environment to that onlyIn';
    const at = limited.onlyAt ?? limited.at;
    return { ...errorAt(reference.at, 'reference-unknown', message), also: { message: 'limited here', at } };
  }
}

function namesOf({ manifests, elsewhere, nameless }: Indexed): string {
  const named = [manifests, elsewhere].map((units) => units.map(({ head }) => [addressOf(head), head.at]));
  return digestOf(JSON.stringify([named, nameless.map((kind) => kind ?? null)]));
}

interface Candidates {
  readonly meant: UnitHead | undefined;
  readonly namesake: UnitHead | undefined;
  /** Whether the environment has any manifest of the kind. */
  readonly isAny: boolean;
}

function reasonFor(kind: KindName, { meant, namesake, isAny }: Candidates): string {
  const reason = isAny
    ? `no manifest with the kind ${quote(kind)} has this name`
    : `this environment has no manifest with the kind ${quote(kind)}`;
  if (meant !== undefined) return `${reason}; did you mean ${quote(meant.name)}?`;
  return namesake === undefined ? reason : `${reason}; ${addressOf(namesake)} has this name`;
}
