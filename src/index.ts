/**
 * agentform as a library: the use cases of the command line, the renderers of what they return, and the emulator. A use
 * case takes a Host, which says what it may touch, and throws an AgentformError for every expected failure.
 */

export { type ApplyResult, type ApplyRunOptions, apply } from './commands/apply/apply.ts';
export { type DriftResult, drift, exitCodeOfDrift } from './commands/drift/drift.ts';
export { renderDriftMarkdown } from './commands/drift/markdown.ts';
export { renderDriftText } from './commands/drift/text.ts';
export type { Explanation, FieldExplanation } from './commands/explain/explain.ts';
export { type ExplainOptions, explain } from './commands/explain/explain.ts';
export { renderExplanationJson, renderExplanationText } from './commands/explain/text.ts';
export { exitCodeOfImport, importAgents } from './commands/import/import.ts';
export type { ImportOptions } from './commands/import/session.ts';
export { renderImportText } from './commands/import/text.ts';
export { type Inbox, type InboxOptions, readInbox } from './commands/inbox/inbox.ts';
export { renderInboxCsv, renderInboxJson, renderInboxText } from './commands/inbox/text.ts';
export { type InitOptions, type InitResult, init } from './commands/init/init.ts';
export { type PlanRunOptions, plan, savePlan } from './commands/plan/plan.ts';
export { type PublishPlanned, type PublishRunOptions, publish } from './commands/publish/publish.ts';
export { adoptRecord } from './commands/record/adopt.ts';
export {
  forgetRecord,
  type HistoryEntry,
  listRecords,
  type MovedRecords,
  moveRecords,
  recordLog,
  renameRecord,
  showRecord,
} from './commands/record/record.ts';
export { type ShowOptions, show } from './commands/show/show.ts';
export { type CreateTaskOptions, createTask, type TaskResult } from './commands/task/create.ts';
export { renderSentTask, renderSentTaskJson, renderTask, renderUploadJson } from './commands/task/text.ts';
export { renderUpload, renderUploadEnd } from './commands/task/upload/text.ts';
export { type UploadOptions, type UploadResult, uploadTasks } from './commands/task/upload/upload.ts';
export type { ManifestUpdates } from './commands/update/check.ts';
export { renderUpdateJson, renderUpdateText } from './commands/update/text.ts';
export { exitCodeOfUpdate, type UpdateOptions, update } from './commands/update/update.ts';
export { type ValidateResult, validate } from './commands/validate/validate.ts';
export { type Emulator, type EmulatorOptions, faultKinds, parseFault, startEmulator } from './emulator/index.ts';
export { AgentformError, type ErrorCode, errorCodes, exitCodes, ServiceError } from './errors.ts';
export { comparisonRules } from './kinds/compare.ts';
export { errorRules, lintRules } from './manifest/syntax/rules.ts';
export { renderDriftJson, renderLedgerJson, renderPlanJson } from './report/json.ts';
export { renderPublishLedgerText, renderPublishPlanText } from './report/ledger/publish.ts';
export { renderLedgerText } from './report/ledger/text.ts';
export { renderPlanMarkdown } from './report/markdown/plan.ts';
export { renderPlanText } from './report/plan/text.ts';
export { type FoundProblems, ProblemsError } from './report/problems/error-text.ts';
export { renderProblems } from './report/problems/problems-text.ts';
export type { Drift, ResourceDrift } from './schemas/drift-types.ts';
export type { Plan, ResourcePlan } from './schemas/plan-types.ts';
export { type AllowedHosts, allowedHostsIn, allowedHostsOf } from './session/connections.ts';
export { exitCodeOfLedger, exitCodeOfPlan, exitCodeOfPublish } from './session/exit-code.ts';
export type { Host } from './session/host.ts';
export type { PlanResult } from './session/plan-result.ts';
