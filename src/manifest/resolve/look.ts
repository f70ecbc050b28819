import { addressOf } from '../../kinds/desired.ts';
import type { Labels } from '../../kinds/labels.ts';
import type { Problem } from '../../yaml/problem.ts';
import type { ManifestIndex, MergedManifest } from '../fleet/gather-manifests.ts';
import { type References, resolveReferences } from './identity/references.ts';
import type { SharedEnvironments } from './identity/shared-environments.ts';
import type { ManifestIdentity, ResolveContext, ResolveOptions } from './resolution.ts';
import { identify, ManifestResolver, type ResolvedManifest } from './resolve-manifest.ts';
import { type UniqueClaim, uniqueClaim } from './uniqueness.ts';
import { resolveLabels } from './values/labels.ts';

/** A manifest of the environment with what it names. */
export interface NamedManifest {
  readonly manifest: MergedManifest;
  readonly references: References;
  readonly labels: Labels;
  readonly labelProblems: readonly Problem[];
}

/** All that the tree of a manifest tells. */
export interface LookedAt extends NamedManifest {
  readonly isSelected: boolean;
  readonly identity: ManifestIdentity;
  /** Of what is selected. */
  readonly resolved: ResolvedManifest | undefined;
  /** What only one manifest may have. */
  readonly unique: UniqueClaim | undefined;
}

interface LooksInput {
  readonly context: ResolveContext;
  /** Unselected manifests may have secrets that are not needed now. */
  readonly byForm: ResolveContext;
  readonly between: SharedEnvironments;
  readonly select: NonNullable<ResolveOptions['select']>;
}

/** Looks at manifests, each once and at all of it: of thousands, a tree is not kept. */
export class Looks {
  readonly #input: LooksInput;
  readonly #resolver: ManifestResolver;

  constructor(input: LooksInput) {
    this.#input = input;
    this.#resolver = new ManifestResolver(input.context);
  }

  named(manifest: MergedManifest, index: ManifestIndex): NamedManifest {
    const { context } = this.#input;
    const references = resolveReferences(manifest, { ...context, index });
    const { labels, problems: labelProblems } = resolveLabels(manifest, context);
    return { manifest, references, labels, labelProblems };
  }

  isSelected({ manifest, labels }: NamedManifest): boolean {
    return this.#input.select(addressOf(manifest), labels);
  }

  async at(named: NamedManifest, isSelected: boolean): Promise<LookedAt> {
    const { context, byForm, between } = this.#input;
    const { manifest } = named;
    const resolved = isSelected ? await this.#resolver.resolve(manifest, named) : undefined;
    const identity = identify(manifest, named, (isSelected ? context : byForm).targets);
    const unique = uniqueClaim({ manifest, identity, isSelected }, byForm);
    between.look(manifest, isSelected);
    return { isSelected, identity, resolved, unique, ...named };
  }
}
