/**
 * agentform as a library: the commands as functions. Each function accepts one object, whose members have defaults
 * unless only the caller can know them. Each function returns the result that the command shows, and throws an {@link
 * AgentformError} for every expected failure. No function prints or asks: a program that calls {@link apply} has
 * decided to apply.
 */

import type { ImportLedger, PublishLedger } from './apply/events.ts';
import type { ApplyResult, ApplyRunOptions } from './commands/apply/apply.ts';
import type { DiffOptions as DiffUse } from './commands/diff/diff.ts';
import type { DriftResult } from './commands/drift/drift.ts';
import type { ExplainOptions as ExplainUse, Explanation } from './commands/explain/explain.ts';
import type { BlameOptions as BlameUse } from './commands/history/blame.ts';
import type { HistoryOptions as HistoryUse } from './commands/history/history.ts';
import type { HeldResources, HoldOptions as HoldUse } from './commands/hold/hold.ts';
import type { ImportOptions as ImportUse } from './commands/import/open-import.ts';
import type { Inbox, InboxOptions as InboxUse } from './commands/inbox/inbox.ts';
import type { InitOptions as InitUse } from './commands/init/answers.ts';
import type { InitResult } from './commands/init/init.ts';
import type { PlanRunOptions } from './commands/plan/plan.ts';
import type { PublishRunOptions } from './commands/publish/publish.ts';
import type { AdoptedRecord, AdoptOptions as AdoptUse } from './commands/record/adopt.ts';
import type {
  RenamedEnvironment,
  RenameEnvironmentOptions as RenameEnvironmentUse,
} from './commands/record/environments.ts';
import type { MovedRecords, MoveOptions as MoveUse } from './commands/record/move.ts';
import type {
  ForgetOptions as ForgetUse,
  ForgottenRecords,
  ListedRecords,
  RenamedRecord,
} from './commands/record/record.ts';
import type { RenderResult, RenderOptions as RenderUse } from './commands/render/render.ts';
import type { RollbackOptions as RollbackUse } from './commands/rollback/rollback.ts';
import type { StatusResult, StatusOptions as StatusUse } from './commands/status/status.ts';
import type { CreateTaskOptions, TaskResult } from './commands/task/create.ts';
import type { UploadResult, UploadOptions as UploadUse } from './commands/task/upload/upload.ts';
import type { TestResult, TestOptions as TestUse } from './commands/test/test.ts';
import type { ManifestUpdates } from './commands/update/check.ts';
import type { UpdateOptions as UpdateUse } from './commands/update/update.ts';
import type { ValidateResult } from './commands/validate/validate.ts';
import type { Emulator, EmulatorOptions } from './emulator/emulator.ts';
import { AgentformError } from './errors.ts';
import { type Defined, type RunOptions, requireForms, runCommand, type Selecting } from './library/run.ts';
import { decisionsOf } from './plan/decisions.ts';
import { renderPlanJson } from './report/json.ts';
import type { Blame } from './schemas/blame-types.ts';
import type { EnvironmentDiff } from './schemas/diff-types.ts';
import type { History } from './schemas/history-types.ts';
import type { DecisionOptions, SinceOptions, TaskFields } from './schemas/option-types.ts';
import type { Plan } from './schemas/plan-types.ts';
import type { ResourceRecord } from './schemas/record-types.ts';
import type { PlanResult } from './session/plans/plan-result.ts';
import type { ChangeSelection } from './session/session.ts';

/** The options of a command in addition to `Shared`. The options in `Defaulted` are optional. */
type Own<Options, Defaulted extends keyof Options = never, Shared = RunOptions & Selecting> = Omit<
  Options,
  Defaulted | keyof Shared | keyof ChangeSelection | 'only' | 'unmatched'
> &
  Partial<Pick<Options, Defaulted>>;

type Answered = 'confirm' | 'signal';

type Overrides = Omit<DecisionOptions, 'overwrite' | 'new'>;

export interface PlanOptions
  extends RunOptions,
    Selecting,
    Defined<SinceOptions>,
    Omit<Own<PlanRunOptions>, 'decisions'>,
    Overrides {}

/** Compares the manifests with the service and the records. Changes nothing. */
export function plan(options: PlanOptions = {}): Promise<PlanResult> {
  return runCommand(options, async (host, own) =>
    (await import('./commands/plan/plan.ts')).plan(host, { ...own, decisions: decisionsOf(own) }),
  );
}

export interface OfflinePlanOptions extends RunOptions, Omit<Selecting, 'concurrency'> {
  /** The commit to compare the current manifests with. Defaults to `HEAD`. */
  readonly base?: string;
}

/** Compares the manifests with those at a commit, without the service or secrets. */
export function planOffline(options: OfflinePlanOptions = {}): Promise<PlanResult> {
  return runCommand(options, async (host, own) =>
    (await import('./commands/plan/offline.ts')).planOffline(host, { base: 'HEAD', ...own }),
  );
}

/** Saves a plan to a file. To apply it, pass the path as the option `savedPlan` of {@link apply}. */
export async function savePlan(made: Plan, path: string): Promise<void> {
  requireForms({ path }, ['path']);
  const { savePlan: save } = await import('./commands/plan/plan.ts');
  await save(made, path, renderPlanJson(made));
}

export interface ApplyOptions
  extends RunOptions,
    Selecting,
    Defined<SinceOptions>,
    Omit<Own<ApplyRunOptions, Answered>, 'decisions' | 'lateAnswers'>,
    DecisionOptions {}

/** Makes a plan and applies it. `confirm` gets the plan first and may decline it. By default, the plan is accepted. */
export function apply(options: ApplyOptions = {}): Promise<ApplyResult> {
  return runCommand(options, async (host, own) =>
    (await import('./commands/apply/apply.ts')).apply(host, {
      ...uninterrupted(),
      ...own,
      decisions: decisionsOf(own),
    }),
  );
}

export interface RollbackOptions
  extends RunOptions,
    Selecting,
    Omit<Own<RollbackUse, Answered>, 'decisions'>,
    Overrides {}

/**
 * Restores earlier applied values, and puts the resources on hold. `confirm` gets the plan first and may decline it.
 */
export function rollback(options: RollbackOptions): Promise<ApplyResult> {
  return runCommand(options, async (host, own) =>
    (await import('./commands/rollback/rollback.ts')).rollback(host, {
      ...uninterrupted(),
      ...own,
      decisions: decisionsOf(own),
    }),
  );
}

export interface HoldOptions extends RunOptions, Omit<Selecting, 'concurrency'>, Own<HoldUse, 'signal'> {}

/** Puts resources on hold, so that an apply leaves them out. */
export function hold(options: HoldOptions): Promise<HeldResources> {
  return runCommand(options, async (host, own) => (await import('./commands/hold/hold.ts')).hold(host, own), [
    'reason',
  ]);
}

export interface UnholdOptions extends RunOptions, Omit<Selecting, 'concurrency'> {}

/** Releases held and rolled-back resources. */
export function unhold(options: UnholdOptions): Promise<HeldResources> {
  return runCommand(options, async (host, own) => (await import('./commands/hold/hold.ts')).unhold(host, own));
}

export interface DiffOptions extends RunOptions, Omit<Selecting, 'concurrency'>, Own<DiffUse, 'signal'> {}

/** Compares the manifests' values in two environments, `environment` and `with`, without the service. */
export function diff(options: DiffOptions): Promise<EnvironmentDiff> {
  return runCommand(options, async (host, own) => (await import('./commands/diff/diff.ts')).diff(host, own), ['with']);
}

export interface DriftOptions extends RunOptions, Selecting, Defined<SinceOptions> {}

/** Reports changes on the service since the last apply. */
export function drift(options: DriftOptions = {}): Promise<DriftResult> {
  return runCommand(options, async (host, own) => (await import('./commands/drift/drift.ts')).drift(host, own));
}

export interface StatusOptions extends RunOptions, Selecting, Own<StatusUse, 'live'> {}

/**
 * Reports the version of each resource from manifests and records. With `live`, also reports whether the service still
 * has that version.
 */
export function status(options: StatusOptions = {}): Promise<StatusResult> {
  return runCommand(options, async (host, own) =>
    (await import('./commands/status/status.ts')).status(host, { live: false, ...own }),
  );
}

export interface ExplainOptions extends RunOptions, Pick<Selecting, 'concurrency'>, Own<ExplainUse> {}

/** Explains where the value of a field comes from, and what the plan does with the field. */
export function explain(options: ExplainOptions): Promise<Explanation> {
  return runCommand(options, async (host, own) => (await import('./commands/explain/explain.ts')).explain(host, own), [
    'name',
  ]);
}

export interface ValidateOptions extends RunOptions, Defined<SinceOptions> {}

/**
 * Checks the selected manifests, by default all, without the service or secrets. Checks every environment unless one is
 * named.
 */
export function validate(options: ValidateOptions = {}): Promise<ValidateResult> {
  return runCommand(options, async (host, own) =>
    (await import('./commands/validate/validate.ts')).validate(host, own),
  );
}

export interface TestOptions
  extends Omit<RunOptions, 'environment'>,
    Omit<Selecting, 'concurrency'>,
    Own<TestUse, 'coverage'> {}

/** Runs the Test cases in every environment, or in the named environments, without the service or secrets. */
export function test(options: TestOptions = {}): Promise<TestResult> {
  return runCommand(options, async (host, own) =>
    (await import('./commands/test/test.ts')).test(host, { coverage: false, ...own }),
  );
}

export interface RenderOptions extends RunOptions, Omit<Selecting, 'concurrency'>, Own<RenderUse> {}

/** Writes request bodies, and a file for each text, without the service. References replace secrets. */
export function render(options: RenderOptions): Promise<RenderResult> {
  return runCommand(options, async (host, own) => (await import('./commands/render/render.ts')).render(host, own));
}

export interface ShowOptions extends Omit<RunOptions, 'environment'> {
  readonly plan: string;
}

/** Reads a saved plan. Adds places in the project's manifests if the project can be loaded. */
export function show(options: ShowOptions): Promise<PlanResult> {
  return runCommand(options, async (host, own) => (await import('./commands/show/show.ts')).show(host, own), ['plan']);
}

export interface PublishOptions extends RunOptions, Selecting, Own<PublishRunOptions, Answered | 'allowPending'> {}

/** Publishes agent drafts with the operation that `service.publish` names. */
export function publish(options: PublishOptions = {}): Promise<PublishLedger> {
  return runCommand(options, async (host, own) =>
    (await import('./commands/publish/publish.ts')).publish(host, { ...uninterrupted(), allowPending: false, ...own }),
  );
}

export interface ImportOptions
  extends RunOptions,
    Pick<Selecting, 'concurrency'>,
    Own<ImportUse, 'signal' | 'describe' | 'force'> {}

/**
 * Writes manifests and records for existing agents. `describe` provides descriptions that the service does not return.
 */
export function importAgents(options: ImportOptions): Promise<ImportLedger> {
  return runCommand(
    options,
    async (host, own) => {
      const isList = 'list' in own.what && !('fleet' in own.what);
      const ofOne = 'fleet' in own.what ? ['fleet', 'list', 'query'] : ['id', 'name', 'query'];
      requireForms(own.what, isList ? ['list'] : ofOne, 'what');
      return (await import('./commands/import/import.ts')).importAgents(host, {
        ...uninterrupted(),
        force: false,
        describe: ({ id }) => {
          throw new AgentformError(
            'usage',
            `the service does not return the description of ${id}; pass a description with the agent`,
          );
        },
        ...own,
      });
    },
    ['what'],
  );
}

export interface UpdateOptions
  extends RunOptions,
    Selecting,
    Own<Omit<UpdateUse, 'answered'>, 'confirm' | 'fields' | 'favoured' | 'isWhole' | 'own' | 'to' | 'dryRun'> {}

/** Copies values that were edited on the service back into the manifests. */
export function update(options: UpdateOptions = {}): Promise<ManifestUpdates> {
  return runCommand(options, async (host, own) =>
    (await import('./commands/update/update.ts')).update(host, {
      ...uninterrupted(),
      fields: [],
      dryRun: false,
      ...own,
    }),
  );
}

export interface ListOptions extends RunOptions, Omit<Selecting, 'concurrency'> {}

/** Lists the records of all resources, or of the selected resources. */
export function listRecords(options: ListOptions = {}): Promise<ListedRecords> {
  return runCommand(options, async (host, own) => (await import('./commands/record/record.ts')).listRecords(host, own));
}

export interface RecordOptions extends RunOptions {
  /** `Kind/name`, or the name alone if only one kind has it. */
  readonly address: string;
}

/** Returns the current record of a resource. For the address `Kind/name@COMMIT`, returns the record at that commit. */
export function showRecord(options: RecordOptions): Promise<ResourceRecord> {
  return runCommand(options, async (host, own) => (await import('./commands/record/record.ts')).showRecord(host, own), [
    'address',
  ]);
}

export interface HistoryOptions extends RunOptions, Omit<Selecting, 'concurrency'>, Own<HistoryUse, 'signal'> {}

/** Returns the history of resources, newest first. With `path`, returns only the history of that setting. */
export function history(options: HistoryOptions = {}): Promise<History> {
  return runCommand(options, async (host, own) => (await import('./commands/history/history.ts')).history(host, own));
}

export interface BlameOptions extends RunOptions, Own<BlameUse, 'signal'> {}

/** Finds when each line of an applied text went live, and who wrote the line. */
export function blame(options: BlameOptions): Promise<Blame> {
  return runCommand(options, async (host, own) => (await import('./commands/history/blame.ts')).blame(host, own), [
    'name',
    'path',
  ]);
}

export interface AdoptOptions extends RunOptions, Own<AdoptUse> {}

/** Links a manifest to an existing resource by id, or marks the manifest as already applied. */
export function adoptRecord(options: AdoptOptions): Promise<AdoptedRecord> {
  return runCommand(options, async (host, own) => (await import('./commands/record/adopt.ts')).adoptRecord(host, own), [
    'address',
  ]);
}

export interface ForgetOptions extends RunOptions, Omit<Selecting, 'concurrency'>, Own<ForgetUse, 'signal'> {}

/** Drops records. The service keeps the resources. */
export function forgetRecords(options: ForgetOptions): Promise<ForgottenRecords> {
  return runCommand(options, async (host, own) =>
    (await import('./commands/record/record.ts')).forgetRecords(host, own),
  );
}

export interface RenameOptions extends RunOptions {
  /** `Kind/name` of the record, or the name alone if only one kind has it. */
  readonly from: string;
  /** `Kind/name` of its manifest, or the name alone. */
  readonly to: string;
}

/** Renames the record of a renamed manifest. */
export function renameRecord(options: RenameOptions): Promise<RenamedRecord> {
  return runCommand(
    options,
    async (host, own) => (await import('./commands/record/record.ts')).renameRecord(host, own),
    ['from', 'to'],
  );
}

export interface RenameEnvironmentOptions extends Omit<RunOptions, 'environment'>, Own<RenameEnvironmentUse> {}

/** Renames the records of a renamed environment. */
export function renameEnvironment(options: RenameEnvironmentOptions): Promise<RenamedEnvironment> {
  return runCommand(
    options,
    async (host, own) => (await import('./commands/record/environments.ts')).renameEnvironment(host, own),
    ['from', 'to'],
  );
}

export interface ForgetEnvironmentOptions extends RunOptions {
  /** An environment that agentform.yaml no longer declares. */
  readonly environment: string;
}

/** Drops all records of a removed environment, and returns their addresses. The service does not change. */
export function forgetEnvironment(options: ForgetEnvironmentOptions): Promise<readonly string[]> {
  return runCommand(
    options,
    async (host, own) => (await import('./commands/record/environments.ts')).forgetEnvironment(host, own),
    ['environment'],
  );
}

export interface MoveOptions extends Omit<RunOptions, 'environment'>, Own<MoveUse> {}

/** Moves all records to the store that `to` names. */
export function moveRecords(options: MoveOptions): Promise<MovedRecords> {
  return runCommand(options, async (host, own) => (await import('./commands/record/move.ts')).moveRecords(host, own), [
    'to',
  ]);
}

/** The options of functions that call the service without manifests. */
export interface CallOptions extends RunOptions {
  /** Query parameters as `name=value`. These parameters override the environment's query parameters in every call. */
  readonly query?: readonly string[];
}

export interface TaskOptions extends CallOptions, Own<CreateTaskOptions, Answered, CallOptions & { flags: unknown }> {
  /** Fields that override those in the file. */
  readonly flags?: TaskFields;
}

/** Sends a task, such as a call or an email. A request with an unclear outcome is reported, and not repeated. */
export function createTask(options: TaskOptions): Promise<TaskResult> {
  return runCommand(options, async (host, own) => {
    const { flags = {} } = own;
    requireForms(flags, [], 'flags');
    return (await import('./commands/task/create.ts')).createTask(host, {
      ...uninterrupted(),
      query: [],
      ...own,
      flags,
    });
  });
}

export interface UploadOptions extends CallOptions, Own<UploadUse, Answered | 'dryRun' | 'onProgress', CallOptions> {}

/** Uploads a CSV file of tasks in consecutive requests. Stops at the first request that fails. */
export function uploadTasks(options: UploadOptions): Promise<UploadResult> {
  return runCommand(
    options,
    async (host, own) =>
      (await import('./commands/task/upload/upload.ts')).uploadTasks(host, {
        ...uninterrupted(),
        query: [],
        dryRun: false,
        onProgress: () => undefined,
        ...own,
      }),
    ['file'],
  );
}

export interface InboxOptions extends CallOptions, Own<InboxUse, 'unread' | 'all', CallOptions> {}

/** Lists the inbox rooms. */
export function readInbox(options: InboxOptions = {}): Promise<Inbox> {
  return runCommand(options, async (host, own) =>
    (await import('./commands/inbox/inbox.ts')).readInbox(host, { query: [], unread: false, all: false, ...own }),
  );
}

export interface InitOptions extends Omit<RunOptions, 'project' | 'environment'>, Own<InitUse, 'force' | 'folder'> {}

/** Creates a valid project. Without `force`, keeps existing files except schema copies. */
export function init(options: InitOptions = {}): Promise<InitResult> {
  return runCommand(options, async (_, own) =>
    (await import('./commands/init/init.ts')).init({ folder: '.', force: false, ...own }),
  );
}

/** Starts the emulator on this machine. Throws an AgentformError for an invalid option or an unavailable address. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  requireForms(options);
  return (await import('./emulator/emulator.ts')).startEmulator(options);
}

function uninterrupted() {
  return { signal: new AbortController().signal, confirm: async () => true };
}

export type {
  FieldResult,
  ImportEntry,
  ImportLedger,
  Ledger,
  LedgerEntry,
  MissingParts,
  PhaseName,
  PublishEntry,
  PublishLedger,
  RunEvent,
  SentSettings,
  UndoneEdit,
} from './apply/events.ts';
export type { ApplyPlanned, ApplyResult, Consent } from './commands/apply/apply.ts';
export { renderDiffMarkdown } from './commands/diff/document.ts';
export { renderDriftHtml, renderDriftMarkdown } from './commands/drift/document.ts';
export { type DriftResult, exitCodeOfDrift } from './commands/drift/drift.ts';
export type { Explanation, FieldExplanation } from './commands/explain/explain.ts';
export { renderHistoryHtml } from './commands/history/document.ts';
export { renderBlameText, renderHistoryCsv } from './commands/history/text.ts';
export type { HeldResources } from './commands/hold/hold.ts';
export type { Inbox } from './commands/inbox/inbox.ts';
export { renderInboxCsv, renderInboxJson } from './commands/inbox/text.ts';
export type { InitResult } from './commands/init/init.ts';
export type { AdoptedRecord } from './commands/record/adopt.ts';
export type { RenamedEnvironment } from './commands/record/environments.ts';
export type { MovedRecords } from './commands/record/move.ts';
export type { ForgottenRecords, ListedRecord, ListedRecords, RenamedRecord } from './commands/record/record.ts';
export type { RenderedResource, RenderResult } from './commands/render/render.ts';
export { renderStatusCsv, renderStatusHtml } from './commands/status/document.ts';
export type { StatusResult } from './commands/status/status.ts';
export type { TaskResult } from './commands/task/create.ts';
export type { UploadResult } from './commands/task/upload/upload.ts';
export { renderTestJunit } from './commands/test/junit.ts';
export type { CaseResult, TestReport, TestResult } from './commands/test/test.ts';
export type { ManifestUpdates } from './commands/update/check.ts';
export type { ValidateResult } from './commands/validate/validate.ts';
export type { Emulator, EmulatorOptions } from './emulator/emulator.ts';
export { faultKinds, parseFault } from './emulator/faults.ts';
export { AgentformError, type ErrorCode, errorCodes, exitCodes, ServiceError } from './errors.ts';
export { comparisonRules } from './kinds/compare.ts';
export { type FormRule, formRules } from './kinds/service-forms.ts';
export type { RunOptions, Selecting } from './library/run.ts';
export {
  renderDiffText,
  renderDriftJson,
  renderDriftText,
  renderExplanationJson,
  renderExplanationText,
  renderHistoryText,
  renderImportText,
  renderInboxText,
  renderLedgerJson,
  renderLedgerText,
  renderPlanText,
  renderProblems,
  renderPublishLedgerText,
  renderStatusText,
  renderTestText,
  renderUpdateJson,
  renderUpdateText,
  type TextOptions,
} from './library/texts.ts';
export { renderPlanHtml } from './report/html/plan.ts';
export { renderPlanMarkdown } from './report/plan.ts';
export type { Blame, BlamedLine } from './schemas/blame-types.ts';
export type { EnvironmentDiff, ResourceDiff } from './schemas/diff-types.ts';
export type { Drift, ResourceDrift } from './schemas/drift-types.ts';
export type { History, HistoryChange, HistoryEntry } from './schemas/history-types.ts';
export type { Change, Plan, ResourcePlan } from './schemas/plan-types.ts';
export type { ResourceRecord } from './schemas/record-types.ts';
export type { ResourceStatus, Status } from './schemas/status-types.ts';
export type { RequestLine } from './session/host.ts';
export type { PlanResult } from './session/plans/plan-result.ts';
export { exitCodeOfLedger, exitCodeOfPlan, exitCodeOfPublish } from './session/plans/plan-result.ts';
export { type FoundProblems, type Problem, ProblemsError, type Span } from './yaml/problem.ts';
export { errorRules, lintRules } from './yaml/rules.ts';
export { renderPlanJson };
