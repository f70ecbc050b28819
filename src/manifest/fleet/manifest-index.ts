import { addressOf } from '../../kinds/desired.ts';
import type { KindName } from '../../schemas/fields.ts';
import { nearest } from '../../text/suggest.ts';
import { joinWithAnd, quote } from '../../text/wording.ts';
import { errorAt, type Problem } from '../../yaml/problem.ts';
import type { ScalarNode } from '../../yaml/tree.ts';
import { digestOf, type Trace } from '../project/trace.ts';
import type { GatheredUnit, Head } from './units.ts';

interface Indexed {
  readonly manifests: readonly GatheredUnit[];
  /** Resources that are only in other environments. */
  readonly elsewhere: readonly GatheredUnit[];
  readonly environment: string;
  /** Kinds of manifests with an unknown name. An entry is undefined if the kind is unknown too. */
  readonly nameless: readonly (KindName | undefined)[];
}

/** Finds the manifests of an environment by kind and name, to resolve references between them. */
export class ManifestIndex {
  readonly #indexed: Indexed;
  readonly #byAddress: () => ReadonlyMap<string, GatheredUnit>;
  readonly #elsewhere: () => ReadonlyMap<string, GatheredUnit>;
  readonly #trace: Trace | undefined;
  /** A digest of all addresses, for traces. */
  readonly #names: () => string;

  constructor(indexed: Indexed | ManifestIndex, trace?: Trace) {
    this.#trace = trace;
    if (indexed instanceof ManifestIndex) {
      this.#indexed = indexed.#indexed;
      this.#byAddress = indexed.#byAddress;
      this.#elsewhere = indexed.#elsewhere;
      this.#names = indexed.#names;
      return;
    }
    this.#indexed = indexed;
    this.#byAddress = once(() => byAddress(indexed.manifests));
    this.#elsewhere = once(() => byAddress(indexed.elsewhere));
    this.#names = once(() => namesOf(indexed));
  }

  /** A copy of the index that notes every query in a trace. */
  noting(trace: Trace): ManifestIndex {
    return new ManifestIndex(this, trace);
  }

  /** The number of manifests in the environment. */
  get size(): number {
    return this.#indexed.manifests.length;
  }

  find(kind: KindName, name: string): GatheredUnit | undefined {
    const address = addressOf({ kind, name });
    this.#trace?.note('unit', address, this.answerOf('unit', address));
    return this.#byAddress().get(address);
  }

  /** The answer to a query, as a trace stores it. */
  answerOf(kind: 'unit' | 'units', address: string): string {
    if (kind === 'units') return this.#names();
    const found = this.#byAddress().get(address) ?? this.#elsewhere().get(address);
    if (found === undefined) return 'none';
    const { unit, head } = found;
    const { at, onlyIn, onlyAt, overrides, isSound, taken } = head;
    return digestOf(JSON.stringify([unit.file, unit.key, at, onlyIn, onlyAt, overrides, isSound, taken]));
  }

  /** Reports a reference without a target. Skipped if a manifest with an unknown name may be the target. */
  problemsOf(reference: ScalarNode, kind: KindName, path: string): Problem[] {
    const name = String(reference.value);
    if (this.find(kind, name) !== undefined) return [];
    const limited = this.#elsewhere().get(addressOf({ kind, name }));
    if (limited !== undefined) return [this.#notHere(reference, limited.head, path)];
    this.#trace?.note('units', '', this.#names());
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

  #notHere(reference: ScalarNode, limited: Head, path: string): Problem {
    const message =
      `${path} is ${quote(limited.name)}, but onlyIn limits ${addressOf(limited)} to ` +
      `${joinWithAnd((limited.onlyIn ?? []).map(quote))}, so ${quote(this.#indexed.environment)} does not have it; ` +
      'write the same onlyIn here, or add the environment there';
    const at = limited.onlyAt ?? limited.at;
    return { ...errorAt(reference.at, 'reference-unknown', message), also: { message: 'limited here', at } };
  }
}

/** Delays a computation until it is needed. Most projects have no references. */
function once<Result extends object | string>(make: () => Result): () => Result {
  let made: Result | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function byAddress(units: readonly GatheredUnit[]): ReadonlyMap<string, GatheredUnit> {
  return new Map(units.map((one) => [addressOf(one.head), one]));
}

function namesOf({ manifests, elsewhere, nameless }: Indexed): string {
  const placed = [manifests, elsewhere].map((units) => units.map(({ head }) => [addressOf(head), head.at]));
  return digestOf(JSON.stringify([placed, nameless.map((kind) => kind ?? null)]));
}

interface Candidates {
  readonly meant: Head | undefined;
  readonly namesake: Head | undefined;
  /** Whether the environment has any manifest of the kind. */
  readonly isAny: boolean;
}

function reasonFor(kind: KindName, { meant, namesake, isAny }: Candidates): string {
  const reason = isAny
    ? `no manifest of the kind ${quote(kind)} has this name`
    : `the project has no manifest of the kind ${quote(kind)}`;
  if (meant !== undefined) return `${reason}; did you mean ${quote(meant.name)}?`;
  return namesake === undefined ? reason : `${reason}; it is the name of ${addressOf(namesake)}`;
}
