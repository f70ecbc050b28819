import { commandIn } from '../../kinds/desired.ts';
import { renderTable, type TableOptions } from '../../report/terminal/table.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { recordedChangeText } from '../../session/records/record-versions.ts';
import { counted, shortVersion } from '../../text/wording.ts';
import type { AdoptedRecord } from './adopt.ts';
import type { RenamedEnvironment, RenameEnvironmentOptions } from './environments.ts';
import type { LoggedEntry, RenamedRecord } from './record.ts';

/** The result of a change of a record, and notes. */
export interface RecordChangeText {
  readonly answer: string;
  readonly warnings: readonly string[];
}

export function adoptedText({ record, lacksId }: AdoptedRecord): RecordChangeText {
  const { kind, name, id, environment } = record;
  const what = id === undefined ? 'Marked its manifest as applied' : `Linked it to ${id}`;
  const adopt = commandIn(environment, `record adopt ${kind}/${name} ID`);
  return {
    answer: `Adopted ${kind}/${name}. ${what}. Run ${commandIn(environment, 'plan')} to compare it.`,
    warnings: lacksId ? [`its id is unknown, so nothing can be created in its account; run ${adopt}`] : [],
  };
}

export function forgottenText({ kind, name }: Pick<ResourceRecord, 'kind' | 'name'>): RecordChangeText {
  return {
    answer: `Deleted the record of ${kind}/${name}. The resource on the service is not changed.`,
    warnings: [],
  };
}

export function renamedText({ record: { kind, name }, lost, isDeclared }: RenamedRecord): RecordChangeText {
  const lostPaths = lost.join(', ');
  return {
    answer: `Renamed the record to ${kind}/${name}.`,
    warnings: [
      ...(isDeclared ? [] : [`no manifest declares ${kind}/${name}; give its manifest the same name`]),
      ...(lost.length === 0
        ? []
        : [`the record no longer has what was applied to ${lostPaths}, because the secret is unset or changed`]),
    ],
  };
}

export function forgottenEnvironmentText(environment: string, addresses: readonly string[]): RecordChangeText {
  return {
    answer: `Deleted ${counted(addresses.length, 'record')} of ${environment}. The service is not changed.`,
    warnings: [],
  };
}

export function renamedEnvironmentText(
  { from, to }: Pick<RenameEnvironmentOptions, 'from' | 'to'>,
  { records, lost }: RenamedEnvironment,
): RecordChangeText {
  return {
    answer: `Renamed ${counted(records.length, 'record')} from ${from} to ${to}.`,
    warnings: [...lost].map(
      ([address, paths]) =>
        `the record of ${address} no longer has what was applied to ${paths.join(', ')}, because a secret is unset or changed`,
    ),
  };
}

/** A commit that changed records. */
export type RecordLogLine = Omit<LoggedEntry, 'records'>;

/** The history of records as a table, in the order given; that of one record with what each version changed. */
export function renderRecordLog(entries: readonly RecordLogLine[], options: TableOptions): string {
  const isOfOne = entries.some(({ changes }) => changes !== undefined);
  const rows = entries.map((entry) => [
    shortVersion(entry.commit),
    entry.date,
    entry.by,
    shortVersion(entry.from ?? '-'),
    isOfOne ? versionText(entry) : entry.what,
  ]);
  return renderTable(['commit', 'date', 'by', 'from', isOfOne ? 'change' : 'what'], rows, options);
}

const deeds = { held: 'put on hold', released: 'released', adopted: 'adopted, without applied values' } as const;

function versionText({
  what,
  changes = [],
  rollback,
  deed,
  reason = rollback?.reason,
  isAltered,
}: RecordLogLine): string {
  const edited = isAltered ? 'edited after agentform saved it (its HMAC does not match): ' : '';
  const why = reason === undefined ? '' : ` (${reason})`;
  if (deed !== undefined) return `${edited}${deeds[deed]}${why}`;
  const rolledBack = `${edited}${rollback === undefined ? '' : `rolled back to ${shortVersion(rollback.to)}${why}: `}`;
  const [first, ...others] = changes;
  if (first === undefined) return `${rolledBack}${what.replace(/: [^:]*$/, '')}: no values changed`;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return `${rolledBack}${recordedChangeText(first)}${more}`;
}
