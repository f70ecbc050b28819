import { isAbsolute, relative, resolve, sep } from 'node:path';
import { AgentformError } from '../errors.ts';
import { mask } from '../kinds/secret.ts';
import { type CsvReading, readTaskCsv } from '../manifest/tasks/csv-reading.ts';
import type { OpenEnvironment } from './environment-session.ts';
import type { CsvFile } from './tasks-csv-file.ts';
import { TasksInvalid } from './tasks-invalid.ts';
import type { UploadIdentity } from './tasks-ledger-lines.ts';

/** So many bytes at most make a batch, unless a single row has more. */
const batchBytes = 8 * 1024 * 1024;
const mostBatches = 100_000;

/** What makes an upload the same as another. Secrets of the query are left out: the ledger is kept. */
export function identityOf(
  { project, name, connection, host }: OpenEnvironment,
  { path, hash }: { readonly path: string; readonly hash: string },
): UploadIdentity {
  const way = relative(project.root, resolve(path));
  const isOutside = way.startsWith(`..${sep}`) || isAbsolute(way);
  const file = isOutside ? resolve(path) : way.split(sep).join('/');
  const query = Object.entries(connection.query).map(([name, value]) => {
    return [name, connection.sensitiveQuery?.has(name) ? mask : value] as const;
  });
  return { environment: name, host, query: Object.fromEntries(query), file, hash };
}

export interface CheckOptions {
  readonly path: string;
  readonly batchRows: number;
  readonly now: Date;
  /** In bytes. */
  readonly onProgress: (done: number, total: number) => void;
}

/** Reads the file and throws with its problems if it has any. */
export async function checkedReading(
  file: CsvFile,
  { path, batchRows, now, onProgress }: CheckOptions,
): Promise<CsvReading> {
  const reading = await readTaskCsv(file.handle, {
    file: path,
    limits: { rows: batchRows, bytes: batchBytes },
    now: now.getTime() / 1000,
    onProgress: (done) => onProgress(done, file.size),
  });
  if (reading.errors > 0) throw new TasksInvalid(errorSentence(reading, path), reading);
  if (reading.batches.length <= mostBatches) return reading;
  throw new AgentformError('usage', `--batch ${batchRows} makes more than ${mostBatches} requests; give more rows`);
}

function errorSentence({ errors, problems, rows }: CsvReading, file: string): string {
  const shown = errors > problems.length ? `, of which the first ${problems.length} are shown` : '';
  const count = `${errors.toLocaleString('en-US')} ${errors === 1 ? 'error' : 'errors'}`;
  return `${file} has ${count} in ${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}${shown}; nothing was sent`;
}
