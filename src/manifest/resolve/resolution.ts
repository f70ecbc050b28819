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

/** The facts that other manifests and the plan need about a manifest, even if the manifest is not selected. */
export interface ManifestIdentity {
  readonly kind: KindName;
  readonly name: string;
  /** The path of the manifest, relative to the project folder. */
  readonly file: string;
  /**
   * The path of the resource's own manifest. For a fleet member, this is the path of its override, even if that file
   * does not exist yet.
   */
  readonly ownFile: string | undefined;
  /** The location of the name. */
  readonly at: Span;
  readonly labels: Labels;
  readonly renamedFrom: readonly FormerName[];
  /** The name of the Organization whose account is used. A PhoneNumber uses its agent's Organization. */
  readonly organization?: string;
  /** The Agent that a PhoneNumber belongs to. */
  readonly agent?: string;
  /** The user name in an AgentUrl. Undefined if the user name contains a secret. */
  readonly username?: string;
  /** The ids in the target, for kinds whose target may contain ids. */
  readonly agentId?: string;
  readonly campaignId?: string;
  /**
   * The query parameters from the environment and the target. A PhoneNumber uses its agent's parameters. A value with a
   * secret is shown as its reference.
   */
  readonly query: Readonly<Record<string, string>>;
  /** The reference to the token in the target or the environment, such as `${secret.NAME}`. */
  readonly token: string | undefined;
}

/** The origin of a resolved value. */
export interface Origin {
  /** The location of the value, or of the `{ file: ... }` that includes it. */
  readonly at: Span;
  /** The locations of values in bases and overlays that the value overrides, nearest first. */
  readonly over: readonly Span[];
  /** The included file that contains the text. */
  readonly file?: string;
  /** The text before references are resolved. Absent for a text without references. */
  readonly raw?: string;
  /** The text with secrets hidden. Absent for a text without secrets. */
  readonly masked?: MaskedText;
}

export interface VariableMeaning {
  readonly text: string;
  /** The location that defines the variable. For a column, this is the header. Absent for a process variable. */
  readonly at?: Span;
  readonly valueAt?: Span;
  readonly isColumn?: true;
}

/** A manifest that is valid only in some environments. */
export interface LimitedManifest {
  readonly kind: KindName;
  readonly name: string;
  readonly onlyIn: readonly string[];
  readonly renamedFrom: readonly FormerName[];
}

/** The declaration of a manifest, which is used to compare two resolutions. */
export interface Declared {
  /**
   * A digest of the sections, references and target, in which secrets are represented by reference. Equal declarations
   * have equal digests, even if secrets are unknown. The digest does not cover the name. Undefined if the manifest has
   * errors.
   */
  readonly digest: string | undefined;
  /**
   * The sorted paths of the files that declare the resource: manifest, bases, included files, a fleet's table, and the
   * files of its owner. Excludes agentform.yaml.
   */
  readonly files: readonly string[];
  /**
   * All files that the manifest depends on. Includes its fleet, overrides of other kinds, and its organization's
   * manifest.
   */
  readonly needed: readonly string[];
}

export interface ManifestContent {
  /** The digest of the content without overlays. Undefined if a file has errors or cannot be read. */
  readonly digest?: string;
  /** The digest of the sections in this environment, without variable values and the fleet's row. */
  readonly revision?: string;
  /** The digest of the environment's overlays. Undefined if the environment has no overlays. */
  readonly overlay?: string;
  /** The environments that have the resource. Undefined means all environments. */
  readonly onlyIn?: readonly string[];
}

/** A selected resource without errors. `desiredOf` resolves its values. */
export interface Selected extends Omit<Desired<Target>, 'sections' | 'sensitive' | 'unvalidated'> {
  readonly file: string;
  /** The digest of the declaration (`Declared.digest`). */
  readonly declared: string;
  /** The names of all secrets that the resource uses, including its token. */
  readonly secrets: readonly string[];
  /** The declared title. Absent if the title contains a secret. */
  readonly title?: string;
}

/** The result of resolving a project in one environment. */
export interface Resolution {
  /** The selected resources without errors, sorted by kind and name. */
  readonly selected: readonly Selected[];
  /**
   * Resolves the values of a selected resource. Caches only recent results, to save memory. Throws if the address is
   * not that of a selected resource.
   */
  desiredOf(address: string): Desired<Target>;
  /** All readable manifests of the environment, sorted by kind and name. */
  readonly all: readonly ManifestIdentity[];
  /** The resources that exist only in other environments. */
  readonly elsewhere: readonly LimitedManifest[];
  /** Policies without problems, sorted by name. */
  readonly policies: readonly Policy[];
  /** Tests without problems, sorted by path. */
  readonly tests: readonly ProjectTest[];
  /** The view of a selected resource for policy expressions. */
  policyView(desired: Desired<Target>): Readonly<Record<string, unknown>>;
  /** The problems to report, sorted by location. If one of these problems is an error, no plan can be made. */
  readonly problems: readonly Problem[];
  /** Every inserted secret value, including tokens. */
  readonly secrets: readonly Secret[];
  /** The names of all secrets that selected resources refer to, even if these secrets are not set. */
  readonly secretNames: ReadonlySet<string>;
  /**
   * Finds the origin of a resolved value by its JSON pointer, such as `/settings/title`, `/skills/0/instructions`,
   * `/target/agentId`, `/organization` or `/resellerId`. A PhoneNumber has its agent's target.
   */
  originOf(address: string, pointer: string): Origin | undefined;
  /** Finds the location of a field's value, or of the nearest value that contains it within the field. */
  placeAt(address: string, path: FieldPath): Span | undefined;
  /**
   * Finds the file and line of a field's value, or of the nearest value that contains it within the field. In an
   * included text, finds the first line that differs from `before`. Undefined if no file declares the field.
   */
  sourceAt(address: string, path: FieldPath, before?: string): ChangeSource | undefined;
  /** The texts of the variables in a field of a selected resource, by name. */
  variablesAt(address: string, path: FieldPath): ReadonlyMap<string, string>;
  /** The value of a field, including texts from files, before variables and secrets are inserted. */
  sourceValueAt(address: string, path: FieldPath): Json | undefined;
  /** Runs all prompt checks on the values of a selected resource at these paths. */
  promptProblemsAt(address: string, paths: readonly FieldPath[]): Promise<readonly Problem[]>;
  /** The meaning of a variable in a selected resource. Undefined if the variable has no value in that resource. */
  variableOf(address: string, name: string): VariableMeaning | undefined;
  /** Explains where the value of a field in a selected resource comes from, and which values it overrides. */
  provenanceOf(address: string, path: FieldPath): Provenance | undefined;
  /** The values of a selected resource, in which secrets are represented by reference. */
  shownValuesOf(address: string): JsonObject | undefined;
  /** The declaration of a selected resource, to compare with another resolution or the record. */
  declaredOf(address: string): Declared | undefined;
  /** The content digests of a selected resource. */
  contentOf(address: string): ManifestContent | undefined;
  /** The number of values of each selected resource. These numbers limit the work for all environments together. */
  readonly work: readonly ResolvedWork[];
}

/** The number of values of a resource. Values of the same variant count only once. */
interface ResolvedWork {
  readonly address: string;
  readonly values: number;
  readonly variant: string;
}

/** Resolves the values of all selected resources, for commands with few resources. */
export function desiredOfAll<At extends Target>(resolution: {
  readonly selected: readonly { readonly kind: string; readonly name: string; readonly target: At }[];
  readonly desiredOf: Resolution['desiredOf'];
}): Desired<At>[] {
  return resolution.selected.map((one) => desiredIn(resolution, one));
}

/** Resolves the values of a selected resource. The result keeps the fingerprint key in the target of `one`, if any. */
export function desiredIn<At extends Target>(
  { desiredOf }: Pick<Resolution, 'desiredOf'>,
  one: { readonly kind: string; readonly name: string; readonly target: At },
): Desired<At> {
  return { ...desiredOf(addressOf(one)), target: one.target };
}

export type ResolveOptions = ResolvedSecrets & {
  readonly environment: string;
  /** Selects resources by address and labels. Omit this to select all resources. */
  readonly select?: (address: string, labels: Labels) => boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Which prompt checks to run. By default, only checks whose findings are errors are run. */
  readonly prompts?: WantedPromptChecks;
  /** `none` leaves out each unit's targets in all environments. Only `resolveProject` compares these targets. */
  readonly claims?: 'none';
  /**
   * The edited file, for a quick answer about its problems. Only some of the resources that use this file are selected
   * and checked. The facts about other resources are reused unchecked.
   */
  readonly edited?: string | undefined;
  /** If the signal is aborted, the run fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * `names`: placeholders replace secrets, so the secrets need not be set. `values`: the secrets of selected resources
 * must be set, and the caller must state which secrets manifests may use.
 */
type ResolvedSecrets =
  | { readonly secrets: 'names'; readonly allowedSecrets?: AllowedSecrets | undefined }
  | { readonly secrets: 'names' | 'values'; readonly allowedSecrets: AllowedSecrets | undefined };

/** The input for resolving manifests: one environment of one project. */
export interface ResolveContext extends EnvelopeContext {
  readonly checks: ValueChecks;
  /** The levels of lint rules in agentform.yaml, by rule. */
  readonly lint: Readonly<Record<string, LintLevel>>;
  readonly prompts: PromptChecks;
  /** A digest of the run's settings that affect all manifests. */
  readonly basis: string;
  readonly project: Project;
  readonly secrets: ResolveOptions['secrets'];
  readonly reader: Reader;
  readonly index: ManifestIndex;
  /** The trace that notes queries. Undefined if no facts are kept. */
  readonly trace: Trace | undefined;
}
