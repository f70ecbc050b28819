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
  /** The names that it had. */
  readonly renamedFrom: readonly FormerName[];
  /** Name of the Organization manifest whose account the calls act for; of a PhoneNumber, its agent's. */
  readonly organization?: string;
  /** Name of the Agent manifest of a PhoneNumber. */
  readonly agent?: string;
  /** The user name in an AgentUrl; undefined if it holds a secret. */
  readonly username?: string;
  /** The campaignId, only for Agents. */
  readonly agentId?: string;
  readonly campaignId?: string;
  /** Environment and target together, of a PhoneNumber its agent's target; of a value that holds a secret, its text as written. */
  readonly query: Readonly<Record<string, string>>;
  /** `${secret.NAME}` as written in the target or the environment; undefined where neither has one. */
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
  /** The text with only the secrets in it hidden, where there are any. */
  readonly masked?: MaskedText;
}

/** What a variable stands for in a resource. */
export interface VariableMeaning {
  readonly text: string;
  /** The place that defines it: of a column its name. Absent if a process variable has it. */
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

/** The declaration of a manifest, in a form for comparing two resolutions, with its places. */
export interface Declared {
  /**
   * Digest of the sections, the references and the target, a secret by its reference and never by its value: the same
   * for equal declarations whether the secrets are known or not. It does not include the name. Undefined if there are
   * errors, so the declaration is unknown.
   */
  readonly digest: string | undefined;
  /** The manifest, its bases and what they include, those of its owner too; without agentform.yaml, sorted. */
  readonly files: readonly string[];
  /**
   * These, the fleet that it is a member of, its overrides of other kinds, and the manifest of its organization, without which there
   * would be an error: all that it depends on.
   */
  readonly needed: readonly string[];
}

/** The content of a manifest in all environments, as digests. */
export interface ManifestContent {
  /** Undefined where something of it cannot be read. */
  readonly digest?: string;
  /** Digest of the sections in this environment, without values of variables and without the row. */
  readonly revision?: string;
  /** Digest of the environment's overlays; undefined if there are none. */
  readonly overlay?: string;
  /** The environments that it is limited to; undefined if all have it. */
  readonly onlyIn?: readonly string[];
}

/** A selected resource without errors, and without its values, which `desiredOf` makes. */
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
  /** Makes the values of a selected resource, which nothing keeps. Throws for any other address. */
  desiredOf(address: string): Desired<Target>;
  /** Every manifest that can be read and that the environment has, by kind and name. */
  readonly all: readonly ManifestIdentity[];
  /** Resources limited to other environments. */
  readonly elsewhere: readonly LimitedManifest[];
  /** Manifests of the project without problems, by name. */
  readonly policies: readonly Policy[];
  /** The same of Tests, by path. */
  readonly tests: readonly ProjectTest[];
  /** The desired values of a selected resource, as the expressions of policies see them. */
  policyView(desired: Desired<Target>): Readonly<Record<string, unknown>>;
  /** By place; a plan needs them free of errors. */
  readonly problems: readonly Problem[];
  /** Every inserted secret value, including tokens. */
  readonly secrets: readonly Secret[];
  /** Name of every secret that the selected resources refer to, whether it has a value or not. */
  readonly secretNames: ReadonlySet<string>;
  /**
   * The origin of a value of a selected resource by its JSON pointer (`/settings/title`, `/skills/0/instructions`,
   * `/target/agentId`, `/organization`, `/agent`, `/memberId`, `/resellerId`). A PhoneNumber's target is its agent's.
   */
  originOf(address: string, pointer: string): Origin | undefined;
  /**
   * The place of a field's value in a selected resource, or the nearest place around it within the field; in an
   * included text, the first line that differs from `before`. Undefined where no file declares the field.
   */
  sourceAt(address: string, path: FieldPath, before?: string): ChangeSource | undefined;
  /** The variables in a field of a selected resource, by name, with what they stand for. */
  variablesAt(address: string, path: FieldPath): ReadonlyMap<string, string>;
  /** The literal value of a field of a selected resource: with the text of a file, and with references to variables. */
  sourceValueAt(address: string, path: FieldPath): Json | undefined;
  /** The findings of all prompt checks in the values of a selected resource at these paths. */
  promptProblemsAt(address: string, paths: readonly FieldPath[]): Promise<readonly Problem[]>;
  /** What a variable stands for in a selected resource; undefined where it has no value there. */
  variableOf(address: string, name: string): VariableMeaning | undefined;
  /** The source of a field of a selected resource, with every overridden place. */
  provenanceOf(address: string, path: FieldPath): Provenance | undefined;
  /** A selected resource with literal references in place of secrets: for comparing two resolutions. */
  outlineOf(address: string): JsonObject | undefined;
  /** The declaration of a selected resource, to compare with another resolution or with what was applied. */
  declaredOf(address: string): Declared | undefined;
  /** The content of a selected resource in every environment. */
  contentOf(address: string): ManifestContent | undefined;
  /** How much work the values of the selected resources are. */
  readonly work: readonly ResolvedWork[];
}

/** The number of values of a resource. It is the same work in each environment where it has the same variant. */
export interface ResolvedWork {
  readonly address: string;
  readonly values: number;
  readonly variant: string;
}

/** The values of all selected resources together: for commands that are about a few. */
export function desiredOfAll({ selected, desiredOf }: Pick<Resolution, 'selected' | 'desiredOf'>): Desired<Target>[] {
  return selected.map((one) => desiredOf(addressOf(one)));
}

export type ResolveOptions = ResolvedSecrets & {
  readonly environment: string;
  /** By `Kind/name` and labels; everything if left out. */
  readonly select?: (address: string, labels: Labels) => boolean;
  /** The process variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether all prompt checks are made, or only those whose findings are errors, which is the usual. */
  readonly prompts?: WantedPromptChecks;
  /**
   * Finds the problems of one edited file quickly: only some of the resources that use it are checked and selected. The
   * facts of all others count as still true.
   */
  readonly edited?: string | undefined;
  /** When it is aborted, the run fails with its reason. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * `form`: secrets are not needed, placeholders stand for them. `values`: secrets of selected resources are needed, and
 * the caller says which process variables manifests may use; undefined for all.
 */
type ResolvedSecrets =
  | { readonly secrets: 'form'; readonly allowedSecrets?: AllowedSecrets | undefined }
  | { readonly secrets: 'form' | 'values'; readonly allowedSecrets: AllowedSecrets | undefined };

/** What manifests are resolved against: one environment of one project. */
export interface ResolveContext extends EnvelopeContext {
  readonly checks: ValueChecks;
  /** Levels that agentform.yaml sets. */
  readonly lint: Readonly<Record<string, LintLevel>>;
  readonly prompts: PromptChecks;
  /** A digest of all that a run decides for every manifest. */
  readonly basis: string;
  readonly project: Project;
  readonly secrets: ResolveOptions['secrets'];
  readonly reader: Reader;
  readonly index: ManifestIndex;
  /** Notes what is asked; absent where nothing is kept. */
  readonly trace: Trace | undefined;
}
