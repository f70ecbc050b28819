// Generated from schemas/ by `npm run generate`. Do not edit.
/**
 * An ISO 8601 UTC time.
 *
 * This interface was referenced by `NoticeFacts`'s JSON-Schema
 * via the `definition` "Time".
 */
export type Time = string;
/**
 * The beginning of a commit id.
 *
 * This interface was referenced by `NoticeFacts`'s JSON-Schema
 * via the `definition` "Commit".
 */
export type Commit = string;
/**
 * This interface was referenced by `NoticeFacts`'s JSON-Schema
 * via the `definition` "Texts".
 */
export type Texts = string[];
/**
 * Set if the last apply failed and may have made the edits, which otherwise come from the dashboard.
 *
 * This interface was referenced by `NoticeFacts`'s JSON-Schema
 * via the `definition` "IsUnclear".
 */
export type IsUnclear = true;
/**
 * Why the history is incomplete. `no-repository`: the project is not in a git repository. `shallow`: the clone lacks earlier commits. `length`: there are too many changes.
 *
 * This interface was referenced by `NoticeFacts`'s JSON-Schema
 * via the `definition` "HistoryLimit".
 */
export type HistoryLimit = 'no-repository' | 'shallow' | 'length';
/**
 * The resources for which the answer still counts.
 */
export type Texts1 = string[];
/**
 * The number and letter of each answer, such as 1C.
 */
export type Texts2 = string[];
/**
 * The paths of settings.
 */
export type Texts3 = string[];
/**
 * The versions of the record. An entry without a commit is the current version.
 */
export type Texts4 = string[];

/**
 * By code, what a notice says.
 */
export interface NoticeFacts {
  /**
   * The response to a create was lost, so the resource may exist.
   */
  'create-unclear': {
    /**
     * Only in a text about several resources: their number.
     */
    count?: number;
    kind: string;
    startedAt: Time;
  };
  /**
   * The record belongs to a resource other than the one that the manifest targets.
   */
  'other-target': {
    kind: string;
    difference: 'id' | 'host' | 'resellerId' | 'query';
    recorded: string;
    wanted: string;
  };
  /**
   * The record belongs to an existing account, but the manifest names an organization that does not exist yet.
   */
  'other-account': {
    kind: string;
    organization: string;
    account?: string;
    former?: Former;
    isRenamed?: true;
  };
  /**
   * A newer version of the record was committed and is not in the checkout, for example after a revert.
   */
  'record-older': {
    commit: Commit;
    path: string;
    lacksHold?: true;
  };
  /**
   * The record was changed outside agentform, so its HMAC does not match. `commit` has the last intact version. With `lacksHold`, that version is on hold, but the changed record is not.
   */
  'record-altered': {
    commit?: Commit;
    path?: string;
    lacksHold?: true;
  };
  /**
   * A record is missing or would be replaced or dropped, although git has a version of it with a hold that was not released.
   */
  'hold-lost': {
    record: string;
    commit: Commit;
    path: string;
  };
  /**
   * The same resource is on hold under another name or in another environment.
   */
  'held-elsewhere': {
    kind: string;
    holder: string;
    environment?: string;
    hold: Hold;
    rename?: {
      from: string;
      to: string;
    };
  };
  /**
   * The resource has a record in an environment that agentform.yaml no longer declares.
   */
  'environment-renamed': {
    former: string;
    id?: string;
  };
  /**
   * A create may overwrite or duplicate a resource that has a record but no manifest.
   */
  'create-over-record': {
    kind: string;
    record: Former;
    settings: Texts;
    isRemoved?: true;
    renamedTo?: string;
    address: string;
  };
  /**
   * The agent on the service has a type that agentform does not manage.
   */
  'wrong-type': {
    type: string;
  };
  /**
   * A read of one agent returned a different agent.
   */
  'wrong-agent': {
    asked: string;
    found: string;
  };
  /**
   * The organization of a resource has no id yet, and this run does not include it.
   */
  'organization-not-included': {
    organization: string;
  };
  /**
   * The resource depends on another resource that is blocked or failed. `hold`: the hold on that resource. `isAnswered`: the hold comes from an answer.
   */
  'dependency-stopped': {
    address: string;
    action: 'blocked' | 'failed';
    hold?: Hold;
    isAnswered?: true;
  };
  /**
   * The record of the resource's organization has no id.
   */
  'organization-without-id': {
    organization: string;
    isCreated?: true;
  };
  /**
   * The service cannot update the settings that changed.
   */
  'update-impossible': {
    obstacle: 'no-operation' | 'member-id';
    paths: Texts;
  };
  /**
   * A prompt loses at least half of its text.
   */
  'prompt-shrunk': {
    path: string;
    before: number;
    after: number;
    sections: Texts;
    isRefused?: true;
  };
  /**
   * A prompt loses a whole section.
   */
  'prompt-section-lost': {
    path: string;
    section: string;
    isRefused?: true;
  };
  /**
   * The resource is on hold. An apply does not change the resource until the hold is released.
   */
  held: {
    hold: Hold;
    until?: Time;
    fields?: Texts;
    /**
     * Fields of the rollback that `update` cannot copy, and why.
     */
    refusals?: Refusal[];
  };
  /**
   * The record is on hold, so it must not be dropped or moved.
   */
  'record-held': {
    record: string;
    hold: Hold;
  };
  /**
   * agentform.yaml lists the resource under `removed`. An apply drops the record, and the service keeps the resource.
   */
  'record-dropped': {
    kind: string;
    startedAt?: Time;
  };
  /**
   * The target differs from the target in the base commit, so an offline plan cannot compare the resource.
   */
  'target-changed': {};
  /**
   * The resource could not be read.
   */
  'read-failed': {
    problem: Cause;
    missing?: 'id' | 'target';
  };
  /**
   * A record has no manifest.
   */
  orphan: {
    record: Former;
    candidates: Texts;
  };
  /**
   * A record has no manifest, because the manifest was renamed.
   */
  'orphan-renamed': {
    record: Former;
    renamedTo: string;
  };
  /**
   * A record has no manifest in this environment, because `onlyIn` limits the manifest to other environments.
   */
  'orphan-limited': {
    kind: string;
    environments: Texts;
  };
  /**
   * Another record belongs to the same resource.
   */
  'orphan-duplicate': {
    record: Former;
    kind: string;
    sameAs: string;
  };
  /**
   * A manifest was renamed from this resource, but its record belongs to a different resource.
   */
  'orphan-claimed': {
    kind: string;
    address: string;
    addressId?: string;
    id?: string;
  };
  /**
   * A policy rule is violated.
   */
  policy: {
    effect: 'deny' | 'warn' | 'overruled';
    violations: Violation[];
  };
  /**
   * The content was not applied to the required environment first.
   */
  requires: {
    environment: string;
    required: string;
    why:
      | 'overlay-gone'
      | 'overlay-changed'
      | 'overlay-new'
      | 'overlay-unrecorded'
      | 'not-there'
      | 'not-applied'
      | 'not-recorded'
      | 'held'
      | 'different'
      | 'too-new';
    resource?: string;
    since?: Time;
    wait?: string;
    isOverruled?: true;
  };
  /**
   * Only variables of this environment changed, and the required environment cannot test them.
   */
  'requires-variables': {
    environment: string;
    required: string;
    variables: Texts;
  };
  /**
   * A change waits until its rollout step opens. `lacking`: the number of agents in earlier steps that do not have the declared settings, including agents that failed or are on hold. `isStopped`: too many agents failed or are on hold.
   */
  'step-closed': {
    step: number;
    /**
     * The number of steps in the rollout.
     */
    of: number;
    lacking: number;
    failed: number;
    held: number;
    /**
     * The number of agents of earlier steps that answers left out. Present only after an apply.
     */
    leftOut?: number;
    isStopped?: true;
    notBefore?: Time;
  };
  /**
   * `--skip-rollout` writes a resource whose rollout step is not open.
   */
  'step-skipped': {
    step: number;
  };
  /**
   * The rollout of the environment differs from the rollout at the base commit. `was` and `now` are the steps before and after the change. They are empty if there is no rollout.
   */
  'rollout-changed': {
    environment: string;
    was: Texts;
    now: Texts;
  };
  /**
   * Changed labels move agents to an earlier rollout step than at the base commit.
   */
  'step-earlier': {
    resources: Texts;
    from: number;
    to: number;
  };
  /**
   * The target account may already have an agent. The create would replace that agent's settings.
   */
  'may-replace-agent': {};
  /**
   * A person declared, with `--new` or an answer, that the agent is new.
   */
  'declared-new': {};
  /**
   * The run overwrites edits on the service that conflict with the manifest.
   */
  'conflict-overwritten': {
    paths: Texts;
    isUnclear?: IsUnclear;
  };
  /**
   * A newer record was committed on another branch.
   */
  'record-newer': {
    commit: Commit;
    path: string;
  };
  /**
   * The resource is new, but git has an earlier record that was removed.
   */
  'record-removed': {
    kind: string;
    commit: Commit;
    path: string;
  };
  /**
   * An empty permittedAccountIds lifts all restrictions of a member.
   */
  'restriction-lifted': {};
  /**
   * The service has no operation that replaces what an earlier apply added, so an update adds to it.
   */
  'earlier-kept': {
    kind: string;
  };
  /**
   * An apply ends the hold of a rollback, because the manifest has new values for settings that were rolled back.
   */
  'hold-ended': {
    hold: Hold;
    paths: Texts;
  };
  /**
   * Settings are no longer managed and have no default, so the service keeps their values.
   */
  'settings-released': {
    paths: Texts;
  };
  /**
   * Settings cannot be read back and may have been edited on the service. `unverified: report` prevents apply from sending them.
   */
  'unverified-kept': {
    paths: Texts;
  };
  /**
   * Settings stay as they are on the service, because a person chose to keep them. With `isWhole`, these are all settings of the resource.
   */
  'settings-kept': {
    hold: Hold;
    paths: Texts;
    isWhole?: true;
  };
  /**
   * Edits on the service stay, because the environment has `unanswered: leave`. With `isWhole`, the whole resource stays. With `hold`, a hold would block the answer `undo`, so the plan has no question.
   */
  'drift-left': {
    paths: Texts;
    isWhole?: true;
    isUndoRefused?: true;
    isUnclear?: IsUnclear;
    hold?: Hold;
  };
  /**
   * The fingerprints of sensitive settings were made with a different token.
   */
  'fingerprints-foreign': {
    paths: Texts;
    effect: 'sent' | 'kept';
  };
  /**
   * The service stored values that differ from those that the last apply sent.
   */
  'stored-otherwise': {
    paths: Texts;
    address?: string;
  };
  /**
   * Live values are hidden, because they seem to contain a key, token or password that someone typed in the dashboard.
   */
  'credential-hidden': {
    paths: Texts;
  };
  /**
   * The service cannot use a declared skill.
   */
  'skill-unusable': {
    slug: string;
    reason?: string;
  };
  /**
   * Settings are passed through without validation.
   */
  'not-validated': {
    names: Texts;
  };
  /**
   * A prompt check found a problem. `rule` is one of the rules of `validate`.
   */
  'prompt-check': {
    rule: string;
    /**
     * What is wrong, in the words of the rule.
     */
    finding: string;
    /**
     * The text to write instead of the found part.
     */
    instead?: string;
    /**
     * The path of the setting that has the text.
     */
    path?: string;
    /**
     * The part of the text that the finding is about, shortened.
     */
    found?: string;
    at?: Place;
    also?: OtherPlace;
  };
  /**
   * The prompt checks found more problems than the plan lists.
   */
  'prompt-checks-more': {
    count: number;
  };
  /**
   * Nothing has been applied yet, so there is nothing to roll back to.
   */
  'nothing-applied': {};
  /**
   * The saved plan does not change the resource, so there is nothing to undo.
   */
  'not-in-saved-plan': {};
  /**
   * The saved plan creates the resource, so there is no earlier version to restore.
   */
  'created-by-saved-plan': {};
  /**
   * The record of the chosen version belongs to a different resource.
   */
  'version-of-other': {
    kind: string;
    version: string;
    id?: string;
    host: string;
  };
  /**
   * The record did not exist in the chosen version, or contained no values.
   */
  'version-empty': {
    version: string;
    state: 'absent' | 'empty';
  };
  /**
   * The record has no version to roll back to.
   */
  'version-missing': {
    wanted: 'other-values' | 'before-restored' | 'time';
    limit?: HistoryLimit;
  };
  /**
   * Nothing shows that an apply wrote the chosen version of the record.
   */
  'version-unconfirmed': {
    version: string;
    state: 'foreign' | 'altered' | 'unsigned';
    effect: 'refused' | 'restored';
    instead?: string;
  };
  /**
   * A rollback cannot restore a setting that contains a secret.
   */
  'secret-not-restored': {
    path: string;
    why: 'no-commit' | 'manifests-unusable' | 'manifest-invalid' | 'not-declared' | 'rotated';
    commit?: string;
    instead: 'omitted' | 'manifest';
  };
  /**
   * Several manifests have the same target.
   */
  'shared-target': {
    agentId?: string;
    sharers: Texts;
  };
  /**
   * The plan creates more resources than limits.creates allows.
   */
  'limit-creates': {
    creates: number;
    kinds: Texts;
    limit: number;
  };
  /**
   * Resources were last applied from a commit that the checkout does not contain.
   */
  'older-commit': {
    relation: 'descendant' | 'diverged' | 'unknown' | 'unanswered';
    resources: Texts;
    commits: Texts;
    problem?: string;
  };
  /**
   * Cases of required Tests did not pass.
   */
  tests: {
    environment: string;
    cases: number;
    missed: number;
    failures: TestFailure[];
  };
  /**
   * The environment has no records, although its manifests declare resources.
   */
  'no-records': {
    environment: string;
    kinds: Texts;
    count: number;
  };
  /**
   * The agent has no id yet, so there is nothing to publish.
   */
  'nothing-to-publish': {};
  /**
   * The draft may not match its manifest, so the draft is not published.
   */
  'draft-pending': {
    count: number;
  };
  /**
   * The draft contains dashboard edits that still need a decision, so the draft is not published.
   */
  'draft-undecided': {
    paths: Texts;
    isUnclear?: IsUnclear;
  };
  /**
   * The agent is published and was edited after the last apply or publish, so the draft may have unpublished edits.
   */
  'draft-edited': {};
  /**
   * A draft will be published, for the given reason.
   */
  'publish-due': {
    why: 'unpublished' | 'not-published' | 'older-draft' | 'edited';
  };
  /**
   * `update` cannot copy a live value into the manifests.
   */
  'not-copied': {
    /**
     * The path of the setting, if no other field names the setting.
     */
    path?: string;
    obstacle: CopyObstacle;
  };
  /**
   * A person answered that this apply should leave the resource out.
   */
  'left-out': {
    by?: string;
  };
  /**
   * A person chose both values of a conflict, and only the manifest can combine them.
   */
  'both-chosen': {
    paths: Texts;
    by?: string;
  };
  /**
   * An answer is ignored, completely or for some resources, because its question has changed. If this notice is a reason, the resource is left out, because the default has the opposite effect of the answer.
   */
  'answer-void': {
    question: string;
    choice: string;
    resources?: Texts1;
  };
  /**
   * All answers to a question are ignored, because the answers in several comments differ.
   */
  'answers-differ': {
    question: string;
    choices: Texts;
  };
  /**
   * The answers on pull requests could not be read, so a resource with an unanswered question is left out.
   */
  'answers-unread': {
    problem: string;
    pullRequest?: number;
  };
  /**
   * Answers to a plan comment on GitHub do not count, because the comment was written with another token. If someone answered there, resources with unanswered questions are left out.
   */
  'answers-elsewhere': {
    /**
     * The author of that comment.
     */
    by: string;
    /**
     * Whether someone answered there.
     */
    isAnswered: boolean;
    pullRequest?: number;
  };
  /**
   * Answers in a comment have no effect. `no-access`: the author has no write access to the repository. `unknown`: no question has this number. `closed`: the question is no longer asked. `no-choice`: the question has no such letter. `several`: the answers choose several letters for a question. `early`: the answers are older than the question. `edited`: another account edited the comment. `ambiguous`: two questions have this number.
   */
  'answer-ignored': {
    answers: Texts2;
    by: string;
    why: 'no-access' | 'unknown' | 'closed' | 'no-choice' | 'several' | 'early' | 'edited' | 'ambiguous';
    /**
     * The number of earlier comments that are not listed.
     */
    earlier?: number;
  };
  /**
   * The target account may already have an agent, but the manifest does not name one.
   */
  'agent-undecided': {};
  /**
   * Settings changed in the dashboard and in the files since the last apply.
   */
  conflict: {
    conflicts: Conflict[];
    isUnclear?: IsUnclear;
  };
  /**
   * The resource changed between the plan and the apply.
   */
  stale: {
    address: string;
    by: 'saved-plan' | 'earlier-apply' | 'edit' | 'other-run' | 'closed-step';
    appliedAt?: Time;
  };
  /**
   * The run was interrupted before it reached the resource.
   */
  interrupted: {};
  /**
   * An earlier call with the same credentials affected the wrong agent.
   */
  'wrong-credentials': {
    call: 'write' | 'request';
  };
  /**
   * The resource depends on another resource that was not applied.
   */
  'dependency-undone': {
    address: string;
    outcome: string;
  };
  /**
   * A call to the service or to the record store failed.
   */
  'call-failed': {
    problem: Cause;
  };
  /**
   * A create was sent, and its outcome is unclear.
   */
  'create-unanswered': {
    problem: Cause;
    kind: string;
    isRepeatable?: true;
  };
  /**
   * A publish was sent, and its outcome is unclear.
   */
  'publish-unanswered': {
    problem: Cause;
  };
  /**
   * The service reported success, but no read confirms the publish.
   */
  'publish-unconfirmed': {
    id: string;
    problem: Cause;
  };
  /**
   * The service reported success, but the agent is not published.
   */
  'publish-missed': {
    id: string;
    published: string;
    address: string;
    waited: Waited;
  };
  /**
   * A write changed the wrong agent.
   */
  'other-agent-written': {
    id: string;
    expected?: string;
    owner?: string;
    address?: string;
    kind: string;
    step: 'create' | 'update';
  };
  /**
   * The service returned an id that contains a secret.
   */
  'id-holds-secret': {
    kind: string;
  };
  /**
   * An agent was written but could not be read back.
   */
  'not-read-back': {
    id: string;
    problem: Cause;
    waited?: Waited;
  };
  /**
   * A resource was written but could not be recorded.
   */
  'not-recorded': {
    address: string;
    problem: Cause;
  };
  /**
   * The service did not store the values that were sent.
   */
  'not-stored': {
    ignored: Texts;
    otherwise: Texts;
    waited: Waited;
  };
  /**
   * The planned create could not be saved to the record store, so nothing was sent.
   */
  'not-shared': {
    problem: string;
  };
  /**
   * The changes of a resource differ from the approved changes.
   */
  'not-approved': {
    difference: string;
  };
  /**
   * An unexpected failure, which is a bug in agentform.
   */
  bug: {
    problem: string;
  };
  /**
   * The response to the create of an organization contains no id.
   */
  'answer-without-id': {
    kind: string;
  };
  /**
   * The service's message about a successful write.
   */
  'service-said': {
    said: string;
  };
  /**
   * The service still shows the `lastUpdate` from before the write.
   */
  'last-update-lags': {
    waited: Waited;
  };
  /**
   * A check that would have refused the resource was skipped.
   */
  overruled: {
    rule: 'policies' | 'requires' | 'rollout' | 'tests';
    names: Texts;
  };
  /**
   * An import would replace a manifest or a record, or give an agent a second manifest.
   */
  'import-conflict': {
    why: 'agent-taken' | 'record-of-other' | 'no-manifest' | 'manifest-of-other' | 'imported' | 'other-path';
    /**
     * The id of the agent to import.
     */
    id?: string;
    /**
     * The address that the imported agent would get.
     */
    address?: string;
    environment?: string;
    /**
     * The resource that already has the agent.
     */
    owner?: string;
    /**
     * The path of the existing manifest.
     */
    file?: string;
    /**
     * The id of the agent in the record. Absent for an unfinished create.
     */
    recorded?: string;
    /**
     * The path that was requested for the manifest.
     */
    path?: string;
  };
  /**
   * The manifest of an imported agent would have an error.
   */
  'import-invalid': {
    rule: string;
    finding: string;
  };
  /**
   * The imported manifests cannot be planned.
   */
  'plan-failed': {
    problem: Cause;
  };
  /**
   * An imported manifest does not declare a live value, or declares it in another form.
   */
  'import-differs': {
    why: 'invalid' | 'undocumented' | 'inexpressible' | 'credential' | 'lost' | 'no-override' | 'in-each-override';
    paths: Texts3;
  };
  /**
   * The plan after an import still has changes.
   */
  'would-change': {
    changes: OpenChange[];
  };
  /**
   * A written file has a problem.
   */
  'file-problem': {
    rule: string;
    finding: string;
    at?: Place;
  };
  /**
   * An upload of tasks stopped before its last row. The remedies continue the upload. With `unclear`, the first remedy is for rows that were not queued. The second remedy is for rows that were queued, and exists only if more rows follow.
   */
  'upload-stopped': {
    /**
     * `failed`: a request failed, and its rows are not queued. `unclear`: the response to a request was lost. `file-changed`: the file changed during the upload. `interrupted`: Ctrl-C or a signal ended the upload.
     */
    why: 'failed' | 'unclear' | 'file-changed' | 'interrupted';
    problem?: Cause;
    /**
     * The path of the file, if it changed during the upload.
     */
    changedFile?: string;
  };
  /**
   * The history does not go back to the first version of each record.
   */
  'history-cut': {
    limit: HistoryLimit;
  };
  /**
   * The newest version of a record is not committed or shared, so other clones lack that version.
   */
  'history-uncommitted': {
    records: Texts;
  };
  /**
   * Versions of records cannot be read, so the history lacks them.
   */
  'history-unreadable': {
    count: number;
    address: string;
    version: string;
  };
  /**
   * Versions of a record were changed outside agentform, so the events from these versions may be wrong.
   */
  'history-altered': {
    address: string;
    versions: Texts4;
  };
}
/**
 * A record, by its address and name.
 *
 * This interface was referenced by `NoticeFacts`'s JSON-Schema
 * via the `definition` "Former".
 */
export interface Former {
  address: string;
  name: string;
}
/**
 * A hold: who made it, when and why. `version` is the version that a rollback restored.
 *
 * This interface was referenced by `NoticeFacts`'s JSON-Schema
 * via the `definition` "Hold".
 */
export interface Hold {
  by: string;
  since: Time;
  reason?: string;
  version?: string;
}
/**
 * A setting that `update` cannot copy.
 *
 * This interface was referenced by `NoticeFacts`'s JSON-Schema
 * via the `definition` "Refusal".
 */
export interface Refusal {
  path: string;
  reason: CopyObstacle;
}
/**
 * Why `update` cannot copy a live value. `file` and `line` are the source of the manifest's value, and `lines` are the lines that both sides changed. `kind` is the resource's kind, and `problem` is an error in the edited manifests.
 *
 * This interface was referenced by `NoticeFacts`'s JSON-Schema
 * via the `definition` "CopyObstacle".
 */
export interface CopyObstacle {
  why:
    | 'not-shown'
    | 'kind-not-shown'
    | 'id-unknown'
    | 'undeclared'
    | 'secret'
    | 'credential'
    | 'both-changed'
    | 'only-in-shared-file'
    | 'no-own-file'
    | 'text-in-yaml'
    | 'patch-differs'
    | 'half-a-pair'
    | 'not-alone'
    | 'edit-refused';
  file?: string;
  line?: number;
  lines?: number[];
  kind?: string;
  problem?: string;
}
/**
 * The cause of a failure. A failed call to the service has `call`. Any other failure has `text`.
 *
 * This interface was referenced by `NoticeFacts`'s JSON-Schema
 * via the `definition` "Cause".
 */
export interface Cause {
  /**
   * An error code.
   */
  code: string;
  /**
   * The failure as a sentence, which may quote a message from git or the record store.
   */
  text?: string;
  call?: FailedCall;
  /**
   * The process variable with the secret that caused the failure.
   */
  secret?: string;
}
/**
 * A call to the service that failed after all attempts. `tokenAt` is set if the service refused the token. It is the place that names the token's secret.
 *
 * This interface was referenced by `NoticeFacts`'s JSON-Schema
 * via the `definition` "FailedCall".
 */
export interface FailedCall {
  /**
   * The operation in the OpenAPI document, such as `updateAgent`.
   */
  operation: string;
  /**
   * The operation in words, such as `writing the agent`.
   */
  doing: string;
  /**
   * `refused`, `late`, `throttled`: the service refused the call. `invalid`: the address of the call is invalid. `unconnected`: the service cannot be reached. `closed`, `abandoned`: the run ended. `broken`, `silent`: there was no response. `unavailable`: the service failed. `garbled`, `oversized`, `misshapen`: the response is unusable.
   */
  reason:
    | 'refused'
    | 'late'
    | 'throttled'
    | 'invalid'
    | 'unconnected'
    | 'closed'
    | 'abandoned'
    | 'broken'
    | 'silent'
    | 'unavailable'
    | 'garbled'
    | 'oversized'
    | 'misshapen';
  /**
   * The last failure in words, such as `no response within 30 s`.
   */
  what: string;
  /**
   * The number of attempts.
   */
  tries: number;
  /**
   * The status of the last response. Omitted without a response.
   */
  status?: number;
  /**
   * The message in the last response, shortened.
   */
  said?: string;
  /**
   * Set if the service may have carried out the request.
   */
  mayBeDone?: true;
  /**
   * Set if an import names an id that the service does not know. `token` is the process variable with the token, which may belong to another account.
   */
  notFound?: {
    token?: string;
  };
  tokenAt?: Place;
}
/**
 * A place in a file. Lines and columns start at 1.
 *
 * This interface was referenced by `NoticeFacts`'s JSON-Schema
 * via the `definition` "Place".
 */
export interface Place {
  file: string;
  line: number;
  column?: number;
}
/**
 * A violated rule. `message` names the policy. `said` is the rule's message alone. `at` is the place of the rule in the checkout.
 *
 * This interface was referenced by `NoticeFacts`'s JSON-Schema
 * via the `definition` "Violation".
 */
export interface Violation {
  message: string;
  policy?: string;
  said?: string;
  path?: string;
  at?: Place;
}
/**
 * A second place that belongs to the notice, with a description.
 *
 * This interface was referenced by `NoticeFacts`'s JSON-Schema
 * via the `definition` "OtherPlace".
 */
export interface OtherPlace {
  what: string;
  at: Place;
}
/**
 * A case that did not pass for an agent. `error` is the reason why the case cannot be decided. `at` is the place of the case in the checkout.
 *
 * This interface was referenced by `NoticeFacts`'s JSON-Schema
 * via the `definition` "TestFailure".
 */
export interface TestFailure {
  test: string;
  case: string;
  at?: Place;
  address: string;
  isOfBase?: true;
  expected: CaseValue[];
  got?: CaseValue[];
  error?: CaseDoubt;
}
/**
 * A value that a case expects or got: its name, and its JSON text, shortened. The name of a setting is its path.
 *
 * This interface was referenced by `NoticeFacts`'s JSON-Schema
 * via the `definition` "CaseValue".
 */
export interface CaseValue {
  name: string;
  value: string;
}
/**
 * Why a case of a Test cannot be decided.
 *
 * This interface was referenced by `NoticeFacts`'s JSON-Schema
 * via the `definition` "CaseDoubt".
 */
export interface CaseDoubt {
  why:
    | 'destination-missing'
    | 'caller-unnamed'
    | 'more-than-yes'
    | 'value-undocumented'
    | 'regex-not-run'
    | 'regex-slow'
    | 'regex-invalid'
    | 'text-missing'
    | 'not-text'
    | 'secret'
    | 'several-values'
    | 'setting-unknown';
  setting?: string;
  /**
   * The value of the setting, as JSON text.
   */
  value?: string;
  /**
   * The regex, shortened.
   */
  regex?: string;
  /**
   * The setting that was probably meant.
   */
  meant?: string;
}
/**
 * A setting in conflict. `isMergeable`: the service and the manifest changed different lines of a text. `refusal`: why `update` cannot copy the setting.
 *
 * This interface was referenced by `NoticeFacts`'s JSON-Schema
 * via the `definition` "Conflict".
 */
export interface Conflict {
  path: string;
  isMergeable?: true;
  refusal?: CopyObstacle;
}
/**
 * The time during which reads were repeated. `isCutShort`: the run was interrupted during this time.
 *
 * This interface was referenced by `NoticeFacts`'s JSON-Schema
 * via the `definition` "Waited".
 */
export interface Waited {
  ms: number;
  isCutShort?: true;
}
/**
 * A change that an apply would make.
 *
 * This interface was referenced by `NoticeFacts`'s JSON-Schema
 * via the `definition` "OpenChange".
 */
export interface OpenChange {
  path: string;
  op: 'set' | 'unset' | 'release';
  cause: 'manifest' | 'drift' | 'conflict' | 'adopt' | 'unverified';
}

export type NoticeCode = keyof NoticeFacts;

/**
 * The arguments of a command, without the name of the program. If the list starts with an option, add the list to the
 * command that was run.
 */
export type Remedy = string[];

export interface NoticeOf<Code extends NoticeCode> {
  code: Code;
  facts: NoticeFacts[Code];
  remedies: Remedy[];
}

/** A reason, a warning, a refusal or a doubt, as data. */
export type Notice = { [Code in NoticeCode]: NoticeOf<Code> }[NoticeCode];
