// Generated from schemas/ by `npm run generate`. Do not edit.
import type { Notice } from './notices-types.ts';

/**
 * The changes of an apply, as data: `plan` prints them, and `apply` carries them out.
 */
export interface Plan {
  formatVersion: 1;
  environment: string;
  project?: PlanProject;
  /**
   * When the plan was made, as ISO 8601 in UTC. Digests do not cover this time.
   */
  madeAt?: string;
  from?: PlanFrom;
  /**
   * Set if the service was not read: the manifests are compared with those of a commit, and `apply` does not accept the plan.
   */
  offline?: {
    /**
     * The id of the commit.
     */
    base: string;
  };
  changedSince?: ChangedSince;
  /**
   * The digest that an approval covers. It covers the resources with changes.
   */
  digest: string;
  summary: Summary;
  /**
   * The safety checks that refuse the whole run.
   */
  refusals: Notice[];
  /**
   * The rules of policies that the plan breaks. Omitted if there are none.
   */
  policies?: PolicyVerdict[];
  /**
   * The results of `requires` in agentform.yaml for the resources with changes. Omitted if there are none.
   */
  requires?: RequiresVerdict[];
  rollout?: RolloutState;
  tests?: TestCounts;
  /**
   * Settings that cannot be read back and are assumed unchanged since the last apply. Omitted if there are none.
   */
  assumed?: AssumedSettings[];
  /**
   * The questions that only a person can answer, in the order of their numbers.
   */
  questions: Question[];
  /**
   * The resources, in the order of their addresses. `plan` writes one on each line.
   */
  resources: ResourcePlan[];
  /**
   * The last member: a checksum of all text before it. The checksum detects accidental changes. It has no key, so it does not show who saved the plan.
   */
  checksum?: string;
}
/**
 * The project. Omitted if agentform.yaml has no `name` and git knows no repository. Digests do not cover the project.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "PlanProject".
 */
export interface PlanProject {
  /**
   * `name` in agentform.yaml. If it is not set, the name of the repository.
   */
  name: string;
  /**
   * The web page of the repository, without credentials.
   */
  repository?: string;
}
/**
 * Where the manifests come from. Omitted if neither git nor the pipeline knows. The texts are untrusted, so they are shortened to one line. Digests do not cover this object.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "PlanFrom".
 */
export interface PlanFrom {
  /**
   * The id of the commit.
   */
  commit?: string;
  /**
   * The first line of the commit message.
   */
  subject?: string;
  /**
   * The name of the branch.
   */
  branch?: string;
  /**
   * The author of the pull request. Without a pull request, the author of the commit.
   */
  author?: string;
  pullRequest?: {
    number: number;
    title: string;
    /**
     * The address of the pull request's web page.
     */
    url: string;
  };
  /**
   * The web page of the pipeline run.
   */
  run?: string;
}
/**
 * Set with --changed-since. The plan includes only resources that changed in the manifests since a commit. Digests do not cover this object, because the commits of an approval and an apply may differ.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "ChangedSince".
 */
export interface ChangedSince {
  /**
   * The name of the commit as it was given, such as origin/main.
   */
  ref: string;
  /**
   * The id of the commit that `ref` refers to.
   */
  commit: string;
  /**
   * Why every resource is included, for example because the commit has no agentform.yaml.
   */
  reason?: string;
  /**
   * The kinds of resources that the counts include.
   */
  kinds: string[];
  /**
   * The number of selected resources.
   */
  total: number;
  /**
   * The number of changed resources.
   */
  changed: number;
  /**
   * The number of unchanged resources that an apply includes, because their records do not show that they were applied completely.
   */
  unapplied?: number;
  /**
   * The number of resources that are no longer in the manifests.
   */
  deleted: number;
  /**
   * The changed files that the changed resources use, sorted.
   */
  files: string[];
}
/**
 * Counts: `create` to `orphans`, `forget` and `waiting` count resources. The others count fields.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "Summary".
 */
export interface Summary {
  create: number;
  update: number;
  unchanged: number;
  blocked: number;
  failed: number;
  orphans: number;
  /**
   * The number of records that an apply drops because agentform.yaml lists them under `removed`.
   */
  forget: number;
  /**
   * The number of resources whose change waits for a rollout step.
   */
  waiting: number;
  /**
   * The number of changes with the cause `drift`.
   */
  drift: number;
  /**
   * The number of changes with the cause `conflict`.
   */
  conflicts: number;
  /**
   * The number of managed fields that cannot be read back and that an apply sends, unless their resource is blocked.
   */
  blind: number;
  /**
   * The number of managed fields that were compared with their live values.
   */
  compared: number;
  /**
   * The number of managed fields that cannot be read back and are assumed unchanged.
   */
  assumed: number;
}
/**
 * A rule of a policy that a resource, one of its changes or the plan breaks.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "PolicyVerdict".
 */
export interface PolicyVerdict {
  /**
   * The name of the policy.
   */
  policy: string;
  /**
   * `deny` blocks the resource, or refuses the run if there is no resource; `warn` is a warning.
   */
  level: 'deny' | 'warn';
  message: string;
  /**
   * The address of the resource, as Kind/name. Omitted if the plan as a whole breaks the rule.
   */
  resource?: string;
  /**
   * For a rule about changes: the path of the change.
   */
  path?: string;
  source?: ChangeSource;
  /**
   * Whether the policy comes from the base commit.
   */
  fromBase?: true;
  /**
   * Whether `--skip-policies` overruled the rule.
   */
  skipped?: true;
}
/**
 * The place of the rule. Omitted for a rule of the base commit.
 */
export interface ChangeSource {
  /**
   * The path of the file, relative to the project folder, with forward slashes.
   */
  file: string;
  /**
   * The number of the line, counted from 1. In an included file, the first line that changes.
   */
  line: number;
}
/**
 * A resource with changes that were not applied to the required environment first, or cannot be applied there.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "RequiresVerdict".
 */
export interface RequiresVerdict {
  /**
   * The address of the resource, as Kind/name.
   */
  resource: string;
  /**
   * The required environment.
   */
  environment: string;
  /**
   * `deny`: an apply refuses the resource. `note`: only variables of this environment change, so there is nothing to try elsewhere.
   */
  level: 'deny' | 'note';
  notice: Notice;
  /**
   * Whether `--skip-requires` overruled the check.
   */
  skipped?: true;
}
/**
 * The state of the rollout. Omitted if the environment has no rollout. Digests do not cover this state.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "RolloutState".
 */
export interface RolloutState {
  steps: RolloutStepState[];
  /**
   * The addresses of failed or held agents that stop the rollout. Omitted if the rollout is not stopped.
   */
  stopped?: {
    failed: string[];
    held: string[];
  };
  /**
   * Notices that come first: the rollout changed, or agents moved to an earlier step.
   */
  notices?: Notice[];
}
/**
 * A rollout step. It has either `select` or `share`, as in agentform.yaml.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "RolloutStepState".
 */
export interface RolloutStepState {
  /**
   * The number of the step, counted from 1.
   */
  step: number;
  select?: string;
  share?: string;
  /**
   * The number of agents in the step.
   */
  resources: number;
  /**
   * The number of agents that have the currently declared settings.
   */
  done: number;
  /**
   * The number of agents that still need a change.
   */
  pending: number;
  /**
   * Whether an apply writes the agents of the step.
   */
  isOpen: boolean;
  /**
   * The earliest time at which the step opens, as ISO 8601 in UTC. Absent if the step is open, or if the time is not known yet.
   */
  notBefore?: string;
}
/**
 * Counts of the cases of required Tests by result. Omitted if the environment requires none.
 */
export interface TestCounts {
  passed: number;
  failed: number;
  /**
   * The number of cases that cannot be decided.
   */
  errors: number;
  /**
   * Whether `--skip-tests` overruled the cases that did not pass.
   */
  skipped?: true;
  /**
   * With `skipped`: the agents with cases that did not pass.
   */
  overruled?: OverruledTests[];
}
/**
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "OverruledTests".
 */
export interface OverruledTests {
  /**
   * The address of the resource, as Kind/name.
   */
  resource: string;
  /**
   * The names of the Tests whose cases did not pass for this agent.
   */
  tests: string[];
}
/**
 * Resources of one kind with the same assumed settings.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "AssumedSettings".
 */
export interface AssumedSettings {
  kind: string;
  names: string[];
  paths: string[];
}
/**
 * A decision that only a person can make. Without an answer, the default choice is used. If no choice is the default, as in a conflict, the whole resource is left out.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "Question".
 */
export interface Question {
  /**
   * A readable id: the address of the resource, such as `Agent/after-hours`. If the resource has several questions, the kind of the question follows, as in `Agent/after-hours/drift`. If several resources share the question, the id is only the kind. If several such questions have the same kind, the first resource follows, as in `drift/Agent/after-hours`.
   */
  id: string;
  /**
   * Digest of the kind, the resources, the changes in question, and the choices. An answer to the whole question stays valid while this digest stays the same.
   */
  digest: string;
  /**
   * The number of the question in this plan. In a pull request, a number always belongs to the same question.
   */
  number: number;
  /**
   * `conflict`: the service and the manifest changed the same settings. `drift`: settings were edited on the service. `create-unknown`: a create may replace an existing agent. `write-only`: settings that cannot be read back may have been edited. `prompt-loss`: a prompt loses a section or most of its text. `check`: a prompt check found something in a text that changes.
   */
  kind: 'conflict' | 'drift' | 'create-unknown' | 'write-only' | 'prompt-loss' | 'check';
  /**
   * The resources that the question is about, as Kind/name.
   */
  resources: string[];
  /**
   * For each of `resources`, in the same order, a digest of its part of the question. This digest does not depend on the other resources. An answer stays valid for a resource while this digest stays the same.
   */
  digests: string[];
  /**
   * The settings that the question is about, from all its resources.
   */
  paths: string[];
  choices: Choice[];
  voidAnswer?: VoidAnswer;
}
/**
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "Choice".
 */
export interface Choice {
  letter: string;
  /**
   * `keep`: leave these settings as they are on the service. `take`: apply the values of the manifest. `both`: join the two texts in the manifest. `undo`: undo the edits. `create`: create the agents. `leave-out`: do not apply the resources. `send-again`: send the settings again. `leave`: leave the whole resources as they are. `go-on`: apply the change anyway.
   */
  code: 'keep' | 'take' | 'both' | 'undo' | 'create' | 'leave-out' | 'send-again' | 'leave' | 'go-on';
  /**
   * Whether this choice is used without an answer.
   */
  isDefault?: true;
  /**
   * Commands that have the same effect on the manifests or in an apply, as argument lists. An `update` copies only the settings that it can copy.
   */
  remedies?: string[][];
}
/**
 * Set if an answer to keep settings or to leave out resources no longer counts, and the default choice would have the opposite effect. No choice is then the default: without a new answer, the whole resource is left out.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "VoidAnswer".
 */
export interface VoidAnswer {
  /**
   * `changed`: the question changed after the answer. `differ`: answers on several pull requests differ. `unread`: the answers could not be read.
   */
  why: 'changed' | 'differ' | 'unread';
  /**
   * The person who answered, if known.
   */
  by?: string;
}
/**
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "ResourcePlan".
 */
export interface ResourcePlan {
  kind: string;
  name: string;
  /**
   * The id on the service, if known.
   */
  id?: string;
  /**
   * `waiting`: the resource's rollout step is not open yet. `willBe` is the action once the step opens.
   */
  action: 'create' | 'update' | 'forget' | 'none' | 'waiting' | 'blocked' | 'failed' | 'orphan';
  /**
   * The action once the step is open. Digests, limits and policies use this action.
   */
  willBe?: 'create' | 'update' | 'forget';
  /**
   * The number of the resource's step in the rollout, counted from 1. Absent without a rollout, and for resources without an agent.
   */
  step?: number;
  /**
   * The earliest time at which the resource's step opens, as ISO 8601 in UTC. Absent if the time is not known yet.
   */
  notBefore?: string;
  /**
   * The name in the record. An apply replaces this name, even if nothing else changes. Only for a create or an update.
   */
  renamedFrom?: string;
  /**
   * Digest of the target, the rename, and the changes with their old and new values. It also covers whether the resource is created or forgotten.
   */
  digest: string;
  target: PlanTarget;
  /**
   * The labels of the resource, by which `--selector` selects.
   */
  labels?: {
    [k: string]: string;
  };
  /**
   * The title of the resource after an apply, if known. Digests do not cover the title.
   */
  title?: string;
  /**
   * Whether the agent was published when it was read. Omitted if the agent was not read, or if nothing changes. Digests do not cover this member.
   */
  published?: boolean;
  /**
   * The addresses of the resources that this one depends on. If an apply leaves one of them out, it also leaves this one out. Digests do not cover these addresses. Omitted if there are none, or if nothing changes.
   */
  dependsOn?: string[];
  coverage: Coverage;
  /**
   * Why the resource is blocked, failed, waiting, forgotten or an orphan, and the remedies.
   */
  reasons: Notice[];
  warnings: Notice[];
  /**
   * Set on the create of an agent whose account may already have an agent. An apply needs --new.
   */
  mayReplace?: true;
  held?: Held;
  lastApply?: LastApply;
  /**
   * Variables in the changes of this resource, by name, with their values. Contains only variables that have different values in other resources of the plan.
   */
  variables?: {
    [k: string]: string;
  };
  changes: Change[];
  /**
   * For human readers: what an apply would change if the resource were not blocked. These changes are not sent, and digests do not cover them. Only for a blocked resource that was compared.
   */
  prevented?: {
    action: 'create' | 'update';
    changes: Change[];
  };
  /**
   * Differences between the live value and the manifest that an apply leaves. A hold keeps these settings, or the environment has `unanswered: leave`. Warnings show which of the two applies. Digests do not cover these differences. Omitted if there are none.
   */
  kept?: Change[];
}
/**
 * The target of calls for this resource, without the token.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "PlanTarget".
 */
export interface PlanTarget {
  host: string;
  query: {
    [k: string]: string;
  };
  /**
   * Fingerprint of the token that creates the resource. The token alone decides which agent is created.
   */
  credentials?: string;
}
/**
 * How agentform knows the values of the resource's managed fields.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "Coverage".
 */
export interface Coverage {
  compared: number;
  blind: number;
  assumed: number;
}
/**
 * Set if a hold blocks the resource, either its own hold or the hold on a resource that it depends on. Says who made the hold, when and why, and when it ends.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "Held".
 */
export interface Held {
  by: string;
  /**
   * An ISO 8601 UTC time.
   */
  since: string;
  reason?: string;
  /**
   * With `agentform hold --until`: when the hold ends, as an ISO 8601 UTC time.
   */
  until?: string;
  /**
   * After a rollback: the paths of the restored settings. The hold ends when the manifest changes one of these settings.
   */
  fields?: string[];
}
/**
 * The last apply, and whether the resource was edited outside agentform since. Only for readable resources whose live settings differ from the manifest.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "LastApply".
 */
export interface LastApply {
  /**
   * The time, as ISO 8601 in UTC.
   */
  at?: string;
  /**
   * The project commit that was applied.
   */
  commit?: string;
  /**
   * Whether the resource was edited outside agentform since then. `unknown` if the record has no time. The service does not record who made the edit.
   */
  edited: 'yes' | 'no' | 'unknown';
  /**
   * The time of the last edit outside agentform, as ISO 8601 in UTC.
   */
  editedAt?: string;
  failure?: UnclearApply;
}
/**
 * The last apply of the resource, if it failed and may have been carried out in part.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "UnclearApply".
 */
export interface UnclearApply {
  /**
   * The kind of failure.
   */
  code: string;
  /**
   * The time, as ISO 8601 in UTC.
   */
  at: string;
  /**
   * The project commit that was applied.
   */
  commit?: string;
}
/**
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "Change".
 */
export interface Change {
  op: 'set' | 'unset' | 'release';
  /**
   * The path of the field, such as settings.title or skills[calendar].instructions.
   */
  path: string;
  /**
   * The live value, or the last applied value of a field that cannot be read. Omitted if absent or unknown. If the service rewrote the sent value, this is the value as sent. A sensitive value is a Sensitive.
   */
  from?: unknown;
  /**
   * The value after the apply. Omitted if absent. A sensitive value is a Sensitive.
   */
  to?: unknown;
  /**
   * Only for a conflict: the last applied value. Omitted if there was none. A sensitive value is a Sensitive.
   */
  lastApplied?: unknown;
  cause: 'manifest' | 'drift' | 'conflict' | 'adopt' | 'unverified';
  /**
   * Only for a conflict in a text: the service and the manifest changed different lines, so `agentform update` can merge them.
   */
  mergeable?: true;
  updateRefusal?: Notice;
  knowledge: 'compared' | 'blind' | 'assumed';
  source?: ChangeSource1;
}
/**
 * The place of the value in a manifest, base, overlay, variable of agentform.yaml or included file. Omitted if no file declares the value. Digests do not cover this place.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "ChangeSource".
 */
export interface ChangeSource1 {
  /**
   * The path of the file, relative to the project folder, with forward slashes.
   */
  file: string;
  /**
   * The number of the line, counted from 1. In an included file, the first line that changes.
   */
  line: number;
}
/**
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "TestCounts".
 */
export interface TestCounts1 {
  passed: number;
  failed: number;
  /**
   * The number of cases that cannot be decided.
   */
  errors: number;
  /**
   * Whether `--skip-tests` overruled the cases that did not pass.
   */
  skipped?: true;
  /**
   * With `skipped`: the agents with cases that did not pass.
   */
  overruled?: OverruledTests[];
}
/**
 * A replacement for a sensitive value. Equal values have equal fingerprints.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "Sensitive".
 */
export interface Sensitive {
  sensitive: true;
  fingerprint: string;
  /**
   * In the plan of a rollback: the value as the manifest writes it, such as `Say ${secret.CODE}`.
   */
  reference?: string;
}
