import { AgentformError, type ExitCode, exitCodes, reasonOf } from '../errors.ts';
import { printable } from '../report/terminal/paint.ts';
import { joinedRedactor, redactor } from '../secrets/redact.ts';
import { type Pieces, portionsOf } from '../text/lines.ts';
import { visibleJson } from '../text/visible.ts';

/**
 * The destinations of output. `answer`: results, to standard output. `data`: results for programs. These contain no
 * secrets and are never redacted, because redacting could break JSON. `say`: messages, to standard error.
 */
export type Channel = 'answer' | 'data' | 'say';

/** The output of a process. Redacts secrets, except in `data`, and neutralizes control characters. */
export interface Console extends Record<Channel, (text: string) => void> {
  readonly version: string;
  /**
   * Writes a long text, and waits whenever the reader is slower. Resolves when the text is written or writing has
   * failed.
   *
   * Each piece is redacted separately, so a secret must not span two pieces.
   */
  readonly inPieces: (channel: Channel, text: Pieces) => Promise<void>;
  /** Whether anything was written to standard output. */
  readonly hasAnswered: () => boolean;
  /** Whether prompts are possible: standard input and standard error are terminals, and CI is not set. */
  readonly interactive: boolean;
  /** Whether the progress display may move the cursor on standard error. */
  readonly live: boolean;
  /** The style of texts for standard output and standard error. */
  readonly answerStyle: Style;
  readonly sayStyle: Style;
  /** Redacts all further output. */
  readonly hide: (redact: (text: string) => string) => void;
  readonly redact: (text: string) => string;
  readonly process: NodeJS.Process;
}

interface Style {
  readonly color: boolean;
  /** The width for wrapping prose. */
  readonly width: number;
}

export function createConsole(process: NodeJS.Process, args: readonly string[], version: string): Console {
  const { stdout, stderr, env } = process;
  failIfUnwritable(process);
  const isWatched = stderr.isTTY === true && env.CI === undefined;
  // A terminal of unknown size reports 0 columns. Text then wraps at 80, and no display moves the cursor.
  const hasWidth = stderr.columns !== 0;
  for (const stream of [stdout, stderr]) if (stream.isTTY && stream.columns === 0) stream.columns = 80;
  const width = stdout.isTTY ? stdout.columns : Number.POSITIVE_INFINITY;
  const answerStyle = { color: wantsColor(stdout, { env, args }), width };
  const sayStyle = { color: wantsColor(stderr, { env, args }), width };
  return {
    version,
    ...createOutput(process, { answerStyle, sayStyle }),
    answerStyle,
    sayStyle,
    interactive: isWatched && process.stdin.isTTY === true,
    live: isWatched && hasWidth && env.TERM !== 'dumb',
    process,
  };
}

function createOutput(
  { stdout, stderr }: NodeJS.Process,
  { answerStyle, sayStyle }: Pick<Console, 'answerStyle' | 'sayStyle'>,
): Pick<Console, Channel | 'inPieces' | 'hasAnswered' | 'hide' | 'redact'> {
  let redact = redactor([]);
  let hasAnswered = false;
  const channels = {
    answer: { stream: stdout, shown: (text: string) => printable(redact(text), answerStyle.color) },
    data: { stream: stdout, shown: visibleJson },
    say: { stream: stderr, shown: (text: string) => printable(redact(text), sayStyle.color) },
  };
  const streamFor = (channel: Channel) => {
    const { stream } = channels[channel];
    hasAnswered ||= stream === stdout;
    return stream;
  };
  const write = (channel: Channel) => (text: string) => void streamFor(channel).write(channels[channel].shown(text));
  const inPieces = async (channel: Channel, text: Pieces) => {
    const { shown } = channels[channel];
    const stream = streamFor(channel);
    // A text for people may contain a secret of several lines, so it is not divided.
    const portions = typeof text === 'string' && channel !== 'data' ? [text] : portionsOf(text);
    for (const portion of portions) await new Promise((resolve) => stream.write(shown(portion), resolve));
  };
  return {
    answer: write('answer'),
    data: write('data'),
    say: write('say'),
    inPieces,
    hasAnswered: () => hasAnswered,
    hide: (next) => {
      redact = joinedRedactor(redact, next);
    },
    redact: (text) => redact(text),
  };
}

/**
 * Handles write errors. If the reader of a pipe, such as `head`, stops early, that is not a failure. After any other
 * error, such as a full disk, the command continues, so that its writes are recorded. The exit code then reports the
 * failure.
 */
function failIfUnwritable(process: NodeJS.Process): void {
  const { stdout, stderr } = process;
  const unwritable = new Set<NodeJS.WriteStream>();
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || unwritable.has(stream)) return;
      unwritable.add(stream);
      process.once('exit', () => {
        process.exitCode = exitCodes.failed;
      });
      if (stream === stdout && !unwritable.has(stderr)) {
        stderr.write(`error: standard output cannot be written: ${reasonOf(error)} (file-unwritable)\n`);
      }
    });
  }
}

/**
 * Decides whether to use colour. `--no-color` and NO_COLOR disable colour. Otherwise, `--color` or FORCE_COLOR decides.
 * If neither is given, colour depends on whether the stream is a terminal.
 */
function wantsColor(
  stream: NodeJS.WriteStream,
  { env, args }: { readonly env: NodeJS.ProcessEnv; readonly args: readonly string[] },
): boolean {
  if (args.includes('--no-color') || (env.NO_COLOR ?? '') !== '') return false;
  if (args.includes('--color')) return true;
  if ((env.FORCE_COLOR ?? '') !== '') return env.FORCE_COLOR !== '0';
  return stream.isTTY === true && env.TERM !== 'dumb';
}

/** Prints a failure to standard error, and returns its exit code. */
export async function reportFailure(error: unknown, console: Console): Promise<ExitCode> {
  const { renderFailure } = await import('../report/problems/error-text.ts');
  console.say(renderFailure(error, { ...console.sayStyle, redact: console.redact }));
  return error instanceof AgentformError ? error.exitCode : exitCodes.failed;
}

/**
 * Ends a whole run with a failure. If these arguments ask for JSON, prints the failure as JSON too. If a result was
 * already printed, prints no JSON, because a second document would make the output invalid.
 */
export async function endInFailure(error: unknown, args: readonly string[], console: Console): Promise<void> {
  console.process.exitCode = await reportFailure(error, console);
  if (!asksForJson(args) || console.hasAnswered()) return;
  const { failureDocument } = await import('../report/problems/failure-json.ts');
  console.data(failureDocument(error, console.redact));
}

/** Whether arguments contain `--format json`. The arguments may be invalid, so the parser cannot decide this. */
function asksForJson(args: readonly string[]): boolean {
  const options = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  return options.some(
    (word, index) => word === '--format=json' || (word === '--format' && options[index + 1] === 'json'),
  );
}
