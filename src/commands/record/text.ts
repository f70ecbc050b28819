import { addressOf, commandIn } from '../../kinds/desired.ts';
import { settingsYaml } from '../../record/store-table.ts';
import { counted, joinWithAnd, listSome, wasOrWere } from '../../text/wording.ts';
import type { AdoptedRecord } from './adopt.ts';
import type { RenamedEnvironment, RenameEnvironmentOptions } from './environments.ts';
import type { MovedRecords } from './move.ts';
import type { ForgottenRecords, ListedRecords, RenamedRecord } from './record.ts';

export interface RecordChangeText {
  readonly answer: string;
  readonly warnings?: readonly string[];
}

export function adoptedText({ record, lacksId, isUnchanged }: AdoptedRecord): RecordChangeText {
  const { kind, name, id, environment } = record;
  if (isUnchanged) {
    const how = id === undefined ? 'its manifest is already marked as applied' : `it is already linked to ${id}`;
    return { answer: `Nothing to adopt for ${kind}/${name}: ${how}.` };
  }
  const what = id === undefined ? 'Marked its manifest as applied' : `Linked it to ${id}`;
  const adopt = commandIn(environment, `record adopt ${kind}/${name} ID`);
  return {
    answer: `Adopted ${kind}/${name}. ${what}. Run ${commandIn(environment, 'plan')} to see what an apply would change.`,
    warnings: lacksId
      ? [`the id of ${kind}/${name} is unknown, so nothing can be created in its account; run ${adopt}`]
      : [],
  };
}

/** Explains the state `unknown`. */
export function unknownText({ environment, records, unreadable }: ListedRecords): string {
  const unknown = records.filter(({ state }) => state === 'unknown').map(({ record }) => addressOf(record));
  const [have, alsoHave] = [unreadable, unknown].map(({ length }) => (length === 1 ? 'has' : 'have'));
  return (
    `${listSome(unreadable, 3)} ${have} errors, so it is unknown whether ${listSome(unknown, 3)} ${alsoHave} a manifest; ` +
    `to see the errors, run ${commandIn(environment, 'validate')}`
  );
}

export function forgottenText({ environment, records, unchanged }: ForgottenRecords): RecordChangeText {
  const answer =
    records.length === 0
      ? `Nothing to forget: ${nothingFound(unchanged)} in ${environment}.`
      : `Deleted the ${records.length === 1 ? 'record' : 'records'} of ${listSome(records.map(addressOf), 5)}. The ${records.length === 1 ? 'resource' : 'resources'} on the service ${wasOrWere(records.length)} not changed.`;
  return { answer };
}

/** Asks whether to delete the records. */
export function forgettingText({ environment, records }: ForgottenRecords): string {
  const named = records.map((record) => `${addressOf(record)} (${record.id ?? 'no id'})`);
  return `Delete the ${records.length === 1 ? 'record' : `${records.length} records`} of ${listSome(named, 5)} in ${environment}?`;
}

function nothingFound(unchanged: readonly string[]): string {
  if (unchanged.length === 0) return 'there is no matching record';
  return `${listSome(unchanged, 5)} ${unchanged.length === 1 ? 'has' : 'have'} no matching record`;
}

export function renamedText({
  record: { kind, name },
  lost,
  isDeclared,
  isUnchanged,
}: RenamedRecord): RecordChangeText {
  if (isUnchanged) return { answer: `Nothing to rename: the record is already named ${kind}/${name}.` };
  const lostPaths = lost.join(', ');
  return {
    answer: `Renamed the record to ${kind}/${name}.`,
    warnings: [
      ...(isDeclared ? [] : [`no manifest declares ${kind}/${name}; rename the manifest to ${name}`]),
      ...(lost.length === 0
        ? []
        : [`the record no longer has the values applied to ${lostPaths}, because the secret is unset or has changed`]),
    ],
  };
}

export function forgottenEnvironmentText(environment: string, addresses: readonly string[]): RecordChangeText {
  if (addresses.length === 0) return { answer: `Nothing to forget: ${environment} has no records.` };
  return { answer: `Deleted ${counted(addresses.length, 'record')} of ${environment}. The service was not changed.` };
}

export function renamedEnvironmentText(
  { from, to }: Pick<RenameEnvironmentOptions, 'from' | 'to'>,
  { records, lost }: RenamedEnvironment,
): RecordChangeText {
  if (records.length === 0) return { answer: `Nothing to rename: ${from} has no records left.` };
  return {
    answer: `Renamed ${counted(records.length, 'record')} from ${from} to ${to}.`,
    warnings: [...lost].map(
      ([address, paths]) =>
        `the record of ${address} no longer has the values applied to ${paths.join(', ')}, because a secret is unset or has changed`,
    ),
  };
}

/** Describes a move: the result, and the remaining steps. */
export function movedText({ moved, history, lost, changesFiles, configure, folder, onEmulator }: MovedRecords): {
  readonly answer: string;
  readonly messages: readonly string[];
} {
  if (moved.size === 0) {
    if (folder !== undefined)
      return { answer: `No records to move: the branch has no records of ${folder}.\n`, messages: [] };
    const use = onEmulator.length === 1 ? 'it uses' : 'they use';
    const names = joinWithAnd(onEmulator);
    const why = names === '' ? '' : ` The records of ${names} always stay in files, because ${use} the emulator.`;
    return { answer: `No records to move.${why}\n`, messages: [] };
  }
  const lines = [...moved].map(([environment, addresses]) => `${environment}: ${addresses.length} moved\n`);
  const files = changesFiles ? ' with .agentform/records' : '';
  const next =
    folder !== undefined
      ? []
      : [
          configure === undefined
            ? `Commit agentform.yaml${files}.`
            : `Now put \`record: ${settingsYaml(configure)}\` into agentform.yaml, and commit it${files}.`,
        ];
  return {
    answer: lines.join(''),
    messages: [
      ...(history === 0 ? [] : [`The history was moved, too: ${counted(history, 'change')}.`]),
      ...lost.map((part) => `warning: ${part}`),
      ...next,
    ],
  };
}
