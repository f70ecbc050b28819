import { AgentformError } from '../errors.ts';
import type { Pieces } from '../text/lines.ts';
import type { Console } from './console.ts';

interface ReportedRun {
  /** The file that `--report` names, or undefined if the option is not given. */
  readonly report: string | undefined;
  /** Runs the command. If `--report` names a file, the command passes its JSON result to `save`. */
  readonly run: (save: ((json: Pieces) => Promise<void>) | undefined) => Promise<void>;
}

/**
 * Runs a command with `--report`. If the run fails before it produces a result, writes the failure to the file.
 * Otherwise, the file would keep the result of an earlier run.
 */
export async function reporting({ report, run }: ReportedRun, console: Console): Promise<void> {
  if (report === undefined) return run(undefined);
  try {
    await run((json) => write(report, json));
  } catch (error) {
    await writeFailure(report, error, console);
    throw error;
  }
}

/**
 * Writes the failure of a run to the file. Ignores an expected write error, because the failure of the run is more
 * important.
 */
async function writeFailure(report: string, error: unknown, { redact }: Console): Promise<void> {
  const { failureDocument } = await import('../report/problems/failure-json.ts');
  try {
    await write(report, failureDocument(error, redact));
  } catch (unwritable) {
    if (!(unwritable instanceof AgentformError)) throw unwritable;
  }
}

async function write(report: string, json: Pieces): Promise<void> {
  const { ledgerSignature, writeOutput } = await import('../files/output-file.ts');
  return writeOutput(report, ledgerSignature, json);
}
