/**
 * agentform as a library: the use cases of the command line, the renderers of what they return, and the emulator. A use
 * case takes a Host, which says what it may touch, and throws an AgentformError for every expected failure.
 */

export { type Emulator, type EmulatorOptions, faultKinds, parseFault, startEmulator } from './emulator/index.ts';
export { AgentformError, type ErrorCode, errorCodes, exitCodes, ServiceError } from './errors.ts';
export { adoptRecord } from './reconcile/adopt-record.ts';
export { type AllowedHosts, allowedHostsIn, allowedHostsOf } from './reconcile/allowed-hosts.ts';
export { type ApplyResult, type ApplyRunOptions, apply } from './reconcile/apply.ts';
export { type DriftResult, drift } from './reconcile/drift.ts';
export {
  exitCodeOfDrift,
  exitCodeOfImport,
  exitCodeOfLedger,
  exitCodeOfPlan,
  exitCodeOfPublish,
  exitCodeOfTakeBack,
} from './reconcile/exit-code.ts';
export { type ExplainOptions, explain } from './reconcile/explain.ts';
export type { Host } from './reconcile/host.ts';
export { importAgents } from './reconcile/import.ts';
export type { ImportOptions } from './reconcile/import-options.ts';
export { type Inbox, type InboxOptions, readInbox } from './reconcile/inbox.ts';
export { type InitOptions, type InitResult, init } from './reconcile/init.ts';
export { type MovedRecords, moveRecords } from './reconcile/move-records.ts';
export { type PlanResult, type PlanRunOptions, plan, savePlan } from './reconcile/plan.ts';
export { type PublishPlanned, type PublishRunOptions, publish } from './reconcile/publish.ts';
export { type HistoryEntry, recordLog } from './reconcile/record-history.ts';
export { forgetRecord, listRecords, renameRecord, showRecord } from './reconcile/records.ts';
export { comparisonRules, errorRules, lintRules } from './reconcile/rules.ts';
export { type ShowOptions, show } from './reconcile/show.ts';
export { type TakeBackOptions, takeBack } from './reconcile/take-back.ts';
export { type CreateTaskOptions, createTask, type TaskResult } from './reconcile/tasks-create.ts';
export { type UploadOptions, type UploadResult, uploadTasks } from './reconcile/tasks-upload.ts';
export { type ValidateResult, validate } from './reconcile/validate.ts';
export { renderDriftMarkdown } from './report/drift-markdown.ts';
export { renderDriftText } from './report/drift-text.ts';
export { renderExplanationText } from './report/explain-text.ts';
export type { Explanation, FieldExplanation } from './report/explanation.ts';
export { type FoundProblems, ProblemsError } from './report/failure-text.ts';
export { renderImportText } from './report/import-text.ts';
export { renderInboxCsv } from './report/inbox-csv.ts';
export { renderInboxText } from './report/inbox-text.ts';
export {
  renderDriftJson,
  renderExplanationJson,
  renderLedgerJson,
  renderPlanJson,
  renderTakeBackJson,
} from './report/json-output.ts';
export { renderLedgerText } from './report/ledger-text.ts';
export { renderPlanMarkdown } from './report/plan-markdown.ts';
export { renderPlanText } from './report/plan-text.ts';
export { renderProblems } from './report/problems-text.ts';
export { renderPublishLedgerText, renderPublishPlanText } from './report/publish-text.ts';
export type { TakeBack } from './report/take-back.ts';
export { renderTakeBackText } from './report/take-back-text.ts';
export { renderInboxJson, renderSentTaskJson, renderUploadJson } from './report/task-json.ts';
export { renderSentTask, renderTask } from './report/task-text.ts';
export { renderUpload, renderUploadEnd } from './report/upload-text.ts';
export type { Drift, ResourceDrift } from './schemas/drift-types.ts';
export type { Plan, ResourcePlan } from './schemas/plan-types.ts';
