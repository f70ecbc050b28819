import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { errorCodes, isErrorCode } from '../../errors.ts';
import type { ChangedSince, Problems, ReportedProblem } from '../../schemas/problems-types.ts';
import { byPlace, type FoundProblems, type Problem, type Span } from '../../yaml/problem.ts';
import { errorRules, isLintRule, lintRules, type Rule } from '../../yaml/rules.ts';
import { asJson, jsonDocument } from '../json.ts';
import { type Annotation, type Placement, regionOf, repositoryPath, shownText } from './annotations.ts';
import type { Sources } from './code-frame.ts';
import { fixTitle, problemSentence } from './sentence.ts';

export interface CheckedProblems extends FoundProblems {
  /** The commit range, if only changes since a commit were checked. */
  readonly changedSince?: ChangedSince | undefined;
}

/** Yields problems as JSON in the form of schemas/problems.schema.json. `root` is the path of the project folder. */
export function problemsJson(
  { problems, changedSince }: Pick<CheckedProblems, 'problems' | 'changedSince'>,
  { root, ...sources }: Sources & { readonly root: string },
): Iterable<string> {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const report: Problems = {
    formatVersion: 1,
    root,
    valid: errors === 0,
    errors,
    warnings: problems.length - errors,
    ...(changedSince !== undefined && { changedSince }),
    problems: [...problems].sort(byPlace).map((problem) => reportedProblem(problem, sources)),
  };
  return jsonDocument(report);
}

export function reportedProblem(problem: Problem, sources: Sources): ReportedProblem {
  const { severity, rule, at, also, found, path, environments, secret, fixes = [] } = problem;
  const plain = (text: string) => (sources.redact === undefined ? text : sources.redact(text));
  return {
    ...(at !== undefined && reportedPlace(at, sources)),
    code: rule,
    level: severity,
    message: shownText(problemSentence(problem), sources),
    ...(found !== undefined && { found: plain(found) }),
    ...(path !== undefined && { path }),
    ...(secret !== undefined && { secret }),
    ...(environments !== undefined && { environments: [...environments] }),
    fixes: fixes.map((fix) => ({
      action: fix.action,
      title: shownText(fixTitle(fix), sources),
      text: plain(fix.text),
      // An edit is within one line, and its region may be empty.
      edits: fix.edits.map(({ at: { file, line, column, offset, end }, text }) => {
        return { file, line, column, endLine: line, endColumn: column + end - offset, text: plain(text) };
      }),
    })),
    related:
      also === undefined ? [] : [{ ...reportedPlace(also.at, sources), message: shownText(also.message, sources) }],
  };
}

function reportedPlace(at: Span, sources: Sources) {
  return { file: at.file, ...regionOf(at, sources) };
}

interface SarifOptions extends Placement {
  /** The absolute path of the repository. Reported paths are relative to this folder. */
  readonly top: string;
  readonly version: string;
}

const sourceRoot = '%SRCROOT%';

/** Renders problems as SARIF 2.1.0. Code scanning requires a place, so the default is the start of agentform.yaml. */
export function renderProblemsSarif(problems: readonly Problem[], options: SarifOptions): string {
  const sorted = [...problems].sort(byPlace);
  const rules = [...new Set(sorted.map(({ rule }) => rule))];
  const start = {
    physicalLocation: { artifactLocation: artifact('agentform.yaml', options), region: { startLine: 1 } },
  };
  const results = sorted.map((problem) => {
    const { rule, severity, at, also } = problem;
    const related = also && {
      id: 1,
      message: { text: shownText(also.message, options) },
      ...sarifLocation(also.at, options),
    };
    return {
      ruleId: rule,
      ruleIndex: rules.indexOf(rule),
      level: severity,
      message: { text: shownText(problemSentence(problem), options) },
      locations: [at === undefined ? start : sarifLocation(at, options)],
      ...(related && { relatedLocations: [related] }),
    };
  });
  const { version } = options;
  return asJson({
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'agentform', version, semanticVersion: version, rules: rules.map(sarifRule) } },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { [sourceRoot]: { uri: `${pathToFileURL(options.top).href.replace(/\/$/, '')}/` } },
        results,
      },
    ],
  });
}

function sarifLocation(at: Span, options: SarifOptions) {
  const { line, column, endLine, endColumn } = regionOf(at, options);
  const region = { startLine: line, startColumn: column, endLine, endColumn };
  return { physicalLocation: { artifactLocation: artifact(at.file, options), region } };
}

function artifact(file: string, options: SarifOptions) {
  const uri = repositoryPath(file, options).split('/').map(encodeURIComponent).join('/');
  return { uri, uriBaseId: sourceRoot };
}

function sarifRule(id: Rule) {
  const known = [...lintRules, ...errorRules].find(({ name }) => name === id)?.description;
  const description = known ?? (isErrorCode(id) ? errorCodes[id].meaning : id);
  const remedy = isLintRule(id)
    ? `To change its level, set \`${id}\` to \`off\`, \`warn\` or \`error\` under \`lint\` in agentform.yaml.`
    : 'The message names the value found and the allowed values.';
  return {
    id,
    shortDescription: { text: plain(description) },
    help: { text: `${plain(description)} ${plain(remedy)}`, markdown: `${description} ${remedy}` },
  };
}

function plain(text: string): string {
  return text.replaceAll('`', '');
}

const severities = { error: 'major', warning: 'minor', notice: 'info' } as const;

/**
 * Renders annotations as a GitLab Code Quality report. GitLab requires a place, so the default place is the start of
 * agentform.yaml. GitLab compares branches by fingerprint. Fingerprints therefore omit line numbers, and a counter
 * distinguishes equal findings.
 */
export function renderCodeQuality(annotations: readonly Annotation[], { folder }: Pick<Placement, 'folder'>): string {
  const alike = new Map<string, number>();
  return asJson(
    annotations.map(({ rule, level, title, message, file, line }) => {
      const path = file ?? repositoryPath('agentform.yaml', { folder });
      const said = JSON.stringify([rule, path, title, message]);
      const number = alike.get(said) ?? 0;
      alike.set(said, number + 1);
      return {
        description: `${title}: ${message}`,
        check_name: rule,
        fingerprint: createHash('sha256').update(`${number} ${said}`).digest('hex'),
        severity: severities[level],
        location: { path, lines: { begin: line ?? 1 } },
      };
    }),
  );
}
