import type { Json, JsonObject } from '../../json/json.ts';
import { addressOf, type Desired, type Target } from '../../kinds/desired.ts';
import type { FieldPath } from '../../kinds/field-path.ts';
import type { Labels } from '../../kinds/labels.ts';
import type { Policy } from '../../policy/policy.ts';
import type { PromptChecks, WantedPromptChecks } from '../../prompts/prompt-checks.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { ChangeSource } from '../../schemas/plan-types.ts';
import type { MaskedText } from '../../secrets/masked-text.ts';
import type { AllowedSecrets, Secret } from '../../secrets/secret.ts';
import type { ProjectTest } from '../../testing/project-test.ts';
import type { Problem, Span } from '../../yaml/problem.ts';
import type { LintLevel } from '../../yaml/rules.ts';
import type { ValueChecks } from '../../yaml/values.ts';
import type { ManifestIndex } from '../fleet/manifest-index.ts';
import type { Reader } from '../project/layers.ts';
import type { FormerName } from '../project/moves.ts';
import type { Project } from '../project/project.ts';
import type { Trace } from '../project/trace.ts';
import type { EnvelopeContext } from './identity/envelope.ts';
import type { Provenance } from './values/provenance.ts';

/** Facts of every manifest of the project, selected or not. */
export interface ManifestIdentity {
  readonly kind: KindName;
  readonly name: string;
  /** Path relative to the project folder. */
  readonly file: string;
  /** The resource's own file: its manifest, or for a member of a fleet its override, possibly new. */
  readonly ownFile: string | undefined;
  /** The place of the name. */
  readonly at: Span;
  readonly labels: Labels;
  /** Its former names. */
  readonly renamedFrom: readonly FormerName[];
  /** Name of the Organization manifest whose account the calls act for; a PhoneNumber has its agent's. */
  readonly organization?: string;
  /** Name of the Agent manifest of a PhoneNumber. */
  readonly agent?: string;
  /** The user name in an AgentUrl; undefined if it holds a secret. */
  readonly username?: string;
  /** The campaignId, only for Agents. */
  readonly agentId?: string;
  readonly campaignId?: string;
  /**
   * The parameters of environment and target; a PhoneNumber has those of its agent's target. A value with a secret is
   * its text as written.
   */
  readonly query: Readonly<Record<string, string>>;
  /** `${secret.NAME}` as written in the target or the environment; undefined if neither has one. */
  readonly token: string | undefined;
}

/** The source of a resolved value. */
export interface Origin {
  /** The value, or the `{ file: ... }` that stands for it, in the file that declares it. */
  readonly at: Span;
  /** The values that it replaced in bases and farther overlays, nearest first. */
  readonly over: readonly Span[];
  /** The included file that holds the text. */
  readonly file?: string;
  /** The text before variables and secrets were inserted, if there are any. */
  readonly raw?: string;
  /** The text with its secrets hidden, if there are any. */
  readonly masked?: MaskedText;
}

/** What a variable stands for in a resource. */
export interface VariableMeaning {
  readonly text: string;
  /** The place that defines it; for a column, its name. Absent for a process variable. */
  readonly at?: Span;
  /** The place of the value. */
  readonly valueAt?: Span;
  readonly isColumn?: true;
}

/** A manifest that is limited to environments. */
export interface LimitedManifest {
  readonly kind: KindName;
  readonly name: string;
  readonly onlyIn: readonly string[];
}

/** The declaration of a manifest with its places, for comparing two resolutions. */
export interface Declared {
  /**
   * Digest of the sections, the references and the target, with secrets by reference: equal for equal declarations,
   * whether or not the secrets are known. It does not cover the name. Undefined if errors make the declaration unknown.
   */
  readonly digest: string | undefined;
  /** The manifest, its bases and included files, and those of its owner; sorted, without agentform.yaml. */
  readonly files: readonly string[];
  /**
   * All files that it depends on: these, its fleet, its overrides of other kinds, and the manifest of its organization.
   */
  readonly needed: readonly string[];
}

/** The content of a manifest in all environments, as digests. */
export interface ManifestContent {
  /** Undefined if a part of it cannot be read. */
  readonly digest?: string;
  /** Digest of the sections in this environment, without values of variables and without the row. */
  readonly revision?: string;
  /** Digest of the environment's overlays; undefined if there are none. */
  readonly overlay?: string;
  /** The environments that it is limited to; undefined if all have it. */
  readonly onlyIn?: readonly string[];
}

/** A selected resource without errors. `desiredOf` makes its values. */
export interface Selected extends Omit<Desired<Target>, 'sections' | 'sensitive' | 'unvalidated'> {
  /** Path of its manifest, or of its template, relative to the project folder. */
  readonly file: string;
  /** Digest of its declaration: `Declared`. */
  readonly declared: string;
  /** Names of the secrets that it refers to, the token's included. */
  readonly secrets: readonly string[];
  /** Its declared title; absent if it contains a secret. */
  readonly title?: string;
}

/** All manifests of a project in one environment. */
export interface Resolution {
  /** The selected resources that have no errors, by kind and name. */
  readonly selected: readonly Selected[];
  /** Makes the values of a selected resource, which are not kept. Throws for any other address. */
  desiredOf(address: string): Desired<Target>;
  /** All readable manifests of the environment, by kind and name. */
  readonly all: readonly ManifestIdentity[];
  /** Resources limited to other environments. */
  readonly elsewhere: readonly LimitedManifest[];
  /** Manifests of the project without problems, by name. */
  readonly policies: readonly Policy[];
  /** The same for Tests, by path. */
  readonly tests: readonly ProjectTest[];
  /** The desired values of a selected resource, as the expressions of policies see them. */
  policyView(desired: Desired<Target>): Readonly<Record<string, unknown>>;
  /** Sorted by place; a plan requires that none is an error. */
  readonly problems: readonly Problem[];
  /** Every inserted secret value, including tokens. */
  readonly secrets: readonly Secret[];
  /** Name of every secret that the selected resources refer to, with or without a value. */
  readonly secretNames: ReadonlySet<string>;
  /**
   * The origin of a value of a selected resource by its JSON pointer (`/settings/title`, `/skills/0/instructions`,
   * `/target/agentId`, `/organization`, `/agent`, `/memberId`, `/resellerId`). A PhoneNumber's target is its agent's.
   */
  originOf(address: string, pointer: string): Origin | undefined;
  /**
   * The place of a field's value in a selected resource, or the nearest place around it within the field. In an
   * included text, it is the first line that differs from `before`. Undefined if no file declares the field.
   */
  sourceAt(address: string, path: FieldPath, before?: string): ChangeSource | undefined;
  /** The variables in a field of a selected resource with their meanings, by name. */
  variablesAt(address: string, path: FieldPath): ReadonlyMap<string, string>;
  /** The literal value of a field of a selected resource, with the text of a file, and with references to variables. */
  sourceValueAt(address: string, path: FieldPath): Json | undefined;
  /** The findings of all prompt checks in the values of a selected resource at these paths. */
  promptProblemsAt(address: string, paths: readonly FieldPath[]): Promise<readonly Problem[]>;
  /** The meaning of a variable in a selected resource; undefined if it has no value there. */
  variableOf(address: string, name: string): VariableMeaning | undefined;
  /** The source of a field of a selected resource, including overridden places. */
  provenanceOf(address: string, path: FieldPath): Provenance | undefined;
  /** A selected resource with literal references in place of secrets: for comparing two resolutions. */
  outlineOf(address: string): JsonObject | undefined;
  /** The declaration of a selected resource, to compare with another resolution or with the applied one. */
  declaredOf(address: string): Declared | undefined;
  /** The content of a selected resource in every environment. */
  contentOf(address: string): ManifestContent | undefined;
  /** The amount of work for the values of the selected resources. */
  readonly work: readonly ResolvedWork[];
}

/** The number of values of a resource. Environments with the same variant share the work. */
export interface ResolvedWork {
  readonly address: string;
  readonly values: number;
  readonly variant: string;
}

/** The values of all selected resources together, for commands with few resources. */
export function desiredOfAll<Values>({
  selected,
  desiredOf,
}: {
  readonly selected: Resolution['selected'];
  readonly desiredOf: (address: string) => Values;
}): Values[] {
  return selected.map((one) => desiredOf(addressOf(one)));
}

export type ResolveOptions = ResolvedSecrets & {
  readonly environment: string;
  /** By `Kind/name` and labels; everything if omitted. */
  readonly select?: (address: string, labels: Labels) => boolean;
  /** The process variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether all prompt checks are made, or by default only those whose findings are errors. */
  readonly prompts?: WantedPromptChecks;
  /**
   * Finds the problems of one edited file quickly: only some of the resources that use it are checked and selected.
   * Earlier facts of all others count as true.
   */
  readonly edited?: string | undefined;
  /** If it is aborted, the run fails with its reason. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * `form`: secrets are not needed, placeholders stand for them. `values`: secrets of selected resources are needed, and
 * the caller says which process variables manifests may use; undefined for all.
 */
type ResolvedSecrets =
  | { readonly secrets: 'form'; readonly allowedSecrets?: AllowedSecrets | undefined }
  | { readonly secrets: 'form' | 'values'; readonly allowedSecrets: AllowedSecrets | undefined };

/** The context for resolving manifests: one environment of one project. */
export interface ResolveContext extends EnvelopeContext {
  readonly checks: ValueChecks;
  /** Levels that agentform.yaml sets. */
  readonly lint: Readonly<Record<string, LintLevel>>;
  readonly prompts: PromptChecks;
  /** A digest of everything that a run decides for every manifest. */
  readonly basis: string;
  readonly project: Project;
  readonly secrets: ResolveOptions['secrets'];
  readonly reader: Reader;
  readonly index: ManifestIndex;
  /** Notes the queries; absent if nothing is kept. */
  readonly trace: Trace | undefined;
}
