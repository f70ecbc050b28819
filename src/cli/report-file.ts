import { undefinedIfExpected } from '../errors.ts';
import type { Pieces } from '../text/lines.ts';
import type { Console } from './console.ts';

/**
 * Runs a command with `--report`, which passes its JSON result to `save`. If the run fails before it produces a result,
 * writes the failure to the file. Otherwise, the file would keep the result of an earlier run.
 */
export async function reporting(
  report: string | undefined,
  { redact }: Console,
  run: (save: ((json: Pieces) => Promise<void>) | undefined) => Promise<void>,
): Promise<void> {
  if (report === undefined) return run(undefined);
  try {
    await run((json) => write(report, json));
  } catch (error) {
    const { failureDocument } = await import('../report/problems/failure-json.ts');
    // The failure of the run is more important than an expected write error.
    await write(report, failureDocument(error, redact)).catch(undefinedIfExpected);
    throw error;
  }
}

async function write(report: string, json: Pieces): Promise<void> {
  const { ledgerSignature, writeOutput } = await import('../files/output-file.ts');
  return writeOutput(report, ledgerSignature, json);
}
