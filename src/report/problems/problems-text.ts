import { grouped } from '../../json/json.ts';
import { joinLineBlocks } from '../../text/layout.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { counted, listSome, present } from '../../text/wording.ts';
import { byPlace, type Problem, type Span, spanText } from '../../yaml/problem.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { codeFrame, type FrameLines, type Sources, shownSources } from './code-frame.ts';
import { problemSentence } from './sentence.ts';

/** The maximum number of code frames. More would take longer than the check, without helping readers. */
const maxFrames = 500;

/** Renders problems by place, and then their number. Only the first problems have code frames. */
export function renderProblems(
  problems: readonly Problem[],
  { color, ...sources }: Sources & { readonly color: boolean },
): string {
  if (problems.length === 0) return '';
  const paint = createPaint(color);
  const sourceLines = shownSources(problems, sources);
  const redact = sources.redact ?? ((text: string) => text);
  const unset = problems.filter(({ secret }) => secret !== undefined).sort(byPlace);
  const isListed = new Set(unset.length > 1 ? unset : []);
  const shown = problems.filter((problem) => !isListed.has(problem)).sort(byPlace);
  const blocks = shown.map((problem, index) => {
    return problemLines(problem, { paint, redact, sourceLines: index < maxFrames ? sourceLines : () => undefined });
  });
  const lists = isListed.size > 0 ? [unsetSecrets(unset, paint)] : [];
  const isFailed = problems.some(({ severity }) => severity === 'error');
  const count = (isFailed ? paint.failed : paint.warning)(problemCounts(problems));
  return joinLineBlocks([...blocks, ...lists, [count]]);
}

/** Lists unset secrets by name. Code frames would not help, because a secret is set once for all places. */
function unsetSecrets(problems: readonly Problem[], paint: Paint): string[] {
  const places = ({ at }: Problem) => (at === undefined ? [] : [`${visibleLine(at.file)}:${at.line}`]);
  const head = 'these process variables are unset or empty, but manifests use them as secrets:';
  return [
    `${paint.failed('error')} ${paint.faint('secret-unset')}  ${head}`,
    ...[...grouped(problems, ({ secret }) => secret)].map(([name, same]) => {
      return `  ${paint.strong(name)}  ${paint.faint(listSome(same.flatMap(places), maxPlaces))}`;
    }),
  ];
}

const maxPlaces = 3;

/** Counts problems, as in `2 errors, 1 warning in 2 files`. */
export function problemCounts(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  const files = new Set(problems.flatMap(({ at }) => (at === undefined ? [] : [at.file]))).size;
  const counts = present(errors > 0 && counted(errors, 'error'), warnings > 0 && counted(warnings, 'warning'));
  return `${counts.join(', ')}${files > 0 ? ` in ${counted(files, 'file')}` : ''}`;
}

interface ProblemStyle {
  readonly paint: Paint;
  readonly sourceLines: (file: string) => FrameLines | undefined;
  readonly redact: (text: string) => string;
}

function problemLines(problem: Problem, style: ProblemStyle): string[] {
  const { severity, rule, at, also } = problem;
  const { paint, redact } = style;
  const brush = severity === 'error' ? paint.failed : paint.warning;
  const placeText = at === undefined ? '' : `${paint.strong(visibleLine(spanText(at)))} `;
  const head = `${placeText}${brush(severity)} ${paint.faint(visibleLine(rule))}  ${withIndent(redact(problemSentence(problem)))}`;
  return present(
    head,
    ...frameLines(at, style),
    also && `  ${withIndent(redact(also.message))}: ${paint.strong(visibleLine(spanText(also.at)))}`,
    ...frameLines(also?.at, style),
  );
}

function frameLines(span: Span | undefined, { paint, sourceLines }: ProblemStyle): string[] {
  const source = span === undefined ? undefined : sourceLines(span.file);
  if (span === undefined || source === undefined) return [];
  return codeFrame(span, source, paint).map((line) => `  ${line}`);
}

/** Indents all lines of a message except the first. */
function withIndent(text: string): string {
  return visible(text).replaceAll('\n', '\n  ');
}
