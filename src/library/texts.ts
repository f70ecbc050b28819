import type { Ledger, PublishLedger } from '../apply/events.ts';
import * as diffText from '../commands/diff/document.ts';
import * as driftText from '../commands/drift/document.ts';
import type { Explanation } from '../commands/explain/explain.ts';
import * as explainText from '../commands/explain/text.ts';
import * as historyText from '../commands/history/text.ts';
import * as importText from '../commands/import/text.ts';
import * as inboxText from '../commands/inbox/text.ts';
import * as statusText from '../commands/status/document.ts';
import type { TestReport } from '../commands/test/test.ts';
import * as testText from '../commands/test/text.ts';
import type { ManifestUpdates } from '../commands/update/check.ts';
import * as updateText from '../commands/update/text.ts';
import type { ValidateResult } from '../commands/validate/validate.ts';
import { renderJson } from '../report/json.ts';
import * as ledgerText from '../report/ledger.ts';
import * as planText from '../report/plan.ts';
import * as problemsText from '../report/problems/problems-text.ts';
import type { Drift } from '../schemas/drift-types.ts';
import { given } from './run.ts';

export interface TextOptions {
  /** Whether to use ANSI colours. Defaults to false. */
  readonly color?: boolean;
  /** The column at which sentences wrap. Defaults to 100. */
  readonly width?: number;
  /** Whether to show whole texts, and every unchanged resource by name. */
  readonly full?: boolean;
}

/** The functions below render the texts that the commands print to a terminal or a log. */
export const renderPlanText = withTextDefaults(planText.renderPlanText);
export const renderDiffText = withTextDefaults(diffText.renderDiffText);
export const renderDriftText = withTextDefaults(driftText.renderDriftText);
export const renderExplanationText = withTextDefaults(explainText.renderExplanationText);
export const renderHistoryText = withTextDefaults(historyText.renderHistoryText);
export const renderLedgerText = withTextDefaults(ledgerText.renderLedgerText);
export const renderPublishLedgerText = withTextDefaults(ledgerText.renderPublishLedgerText);
export const renderImportText = withTextDefaults(importText.renderImportText);
export const renderInboxText = withTextDefaults(inboxText.renderInboxText);
export const renderStatusText = withTextDefaults(statusText.renderStatusText);

/** The functions below render results as JSON. */
export const renderDriftJson: (drift: Drift) => string = renderJson;
export const renderExplanationJson: (explanation: Explanation) => string = renderJson;
export const renderLedgerJson: (ledger: Ledger | PublishLedger) => string = renderJson;
export const renderUpdateJson: (updates: ManifestUpdates) => string = renderJson;

/** Renders the result of an update, or of an update that is only planned. */
export function renderUpdateText(
  updates: ManifestUpdates,
  options: TextOptions & { readonly dryRun?: boolean } = {},
): string {
  const { dryRun = false, ...text } = options;
  return updateText.renderUpdateText(updates, { ...plain, ...given(text), state: dryRun ? 'planned' : 'written' });
}

/** Renders Test results as a test runner does. */
export function renderTestText(report: TestReport, { color = false }: Pick<TextOptions, 'color'> = {}): string {
  return testText.renderTestText(report, { color });
}

/** Renders the problems that a validation found, with their locations and the surrounding lines. */
export function renderProblems(
  { problems, sourceOf }: Pick<ValidateResult, 'problems' | 'sourceOf'>,
  { color = false }: Pick<TextOptions, 'color'> = {},
): string {
  return problemsText.renderProblems(problems, { color, sourceOf });
}

const plain = { color: false, width: 100 };

/**
 * Adds defaults to a renderer. This must be a function declaration, because the exports above call the function before
 * this line is evaluated.
 */
function withTextDefaults<Value>(
  render: (value: Value, options: Required<Pick<TextOptions, 'color' | 'width'>> & TextOptions) => string,
) {
  return (value: Value, options: TextOptions = {}): string => render(value, { ...plain, ...given(options) });
}
