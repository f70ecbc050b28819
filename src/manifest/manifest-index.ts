import { addressOf } from '../kinds/desired.ts';
import type { KindName } from '../schemas/fields.ts';
import { type MergedManifest, placeOfName } from './merged-manifest.ts';
import type { Problem } from './problem.ts';
import { errorAt } from './problem-list.ts';
import { nearest } from './suggest.ts';
import type { ScalarNode } from './tree.ts';
import { quote } from './wording.ts';

/** The manifests of a project in one environment by kind and name, for references between them. */
export class ManifestIndex {
  readonly #manifests: readonly MergedManifest[];
  readonly #byAddress: ReadonlyMap<string, MergedManifest>;
  readonly #nameless: readonly (KindName | undefined)[];

  /** Nameless are the kinds of manifests whose name is not known, undefined if the kind is not known either. */
  constructor(manifests: readonly MergedManifest[], nameless: readonly (KindName | undefined)[]) {
    this.#manifests = manifests;
    this.#byAddress = new Map(manifests.map((manifest) => [addressOf(manifest), manifest]));
    this.#nameless = nameless;
  }

  find(kind: KindName, name: string): MergedManifest | undefined {
    return this.#byAddress.get(addressOf({ kind, name }));
  }

  /** What is wrong with a reference by name; nothing if a manifest that cannot be read may be the one that is meant. */
  problemsOf(reference: ScalarNode, kind: KindName, path: string): Problem[] {
    const name = String(reference.value);
    if (this.find(kind, name) !== undefined) return [];
    if (this.#nameless.some((known) => known === undefined || known === kind)) return [];
    const ofKind = this.#manifests.filter((manifest) => manifest.kind === kind);
    const near = nearest(
      name,
      ofKind.map((manifest) => manifest.name),
    );
    const meant = near === undefined ? undefined : this.find(kind, near);
    const namesake = meant === undefined ? this.#manifests.find((manifest) => manifest.name === name) : undefined;
    const problem = errorAt(
      reference.at,
      'reference-unknown',
      `${path} is ${quote(name)}: ${reasonFor(kind, { meant, namesake, isAny: ofKind.length > 0 })}`,
    );
    const shown = meant ?? namesake;
    return [
      shown === undefined ? problem : { ...problem, also: { message: addressOf(shown), at: placeOfName(shown) } },
    ];
  }
}

interface Candidates {
  readonly meant: MergedManifest | undefined;
  readonly namesake: MergedManifest | undefined;
  /** There are manifests of the kind. */
  readonly isAny: boolean;
}

function reasonFor(kind: KindName, { meant, namesake, isAny }: Candidates): string {
  const reason = isAny
    ? `no manifest of the kind ${quote(kind)} has this name`
    : `the project has no manifest of the kind ${quote(kind)}`;
  if (meant !== undefined) return `${reason}; did you mean ${quote(meant.name)}?`;
  return namesake === undefined ? reason : `${reason}; it is the name of ${addressOf(namesake)}`;
}
