import { commandIn } from '../../kinds/desired.ts';
import { settingsYaml } from '../../record/store-table.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { counted } from '../../text/wording.ts';
import type { AdoptedRecord } from './adopt.ts';
import type { RenamedEnvironment, RenameEnvironmentOptions } from './environments.ts';
import type { MovedRecords } from './move.ts';
import type { RenamedRecord } from './record.ts';

export interface RecordChangeText {
  readonly answer: string;
  readonly warnings: readonly string[];
}

export function adoptedText({ record, lacksId }: AdoptedRecord): RecordChangeText {
  const { kind, name, id, environment } = record;
  const what = id === undefined ? 'Marked its manifest as applied' : `Linked it to ${id}`;
  const adopt = commandIn(environment, `record adopt ${kind}/${name} ID`);
  return {
    answer: `Adopted ${kind}/${name}. ${what}. Run ${commandIn(environment, 'plan')} to see what an apply would change.`,
    warnings: lacksId
      ? [`the id of ${kind}/${name} is unknown, so nothing can be created in its account; run ${adopt}`]
      : [],
  };
}

export function forgottenText({ kind, name }: Pick<ResourceRecord, 'kind' | 'name'>): RecordChangeText {
  return {
    answer: `Deleted the record of ${kind}/${name}. The resource on the service was not changed.`,
    warnings: [],
  };
}

export function renamedText({ record: { kind, name }, lost, isDeclared }: RenamedRecord): RecordChangeText {
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
  return {
    answer: `Deleted ${counted(addresses.length, 'record')} of ${environment}. The service was not changed.`,
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
        `the record of ${address} no longer has the values applied to ${paths.join(', ')}, because a secret is unset or has changed`,
    ),
  };
}

/** Describes a move: the result, and the remaining steps. */
export function movedText({ moved, history, lost, changesFiles, configure }: MovedRecords): {
  readonly answer: string;
  readonly messages: readonly string[];
} {
  if (moved.size === 0) return { answer: 'No records to move.\n', messages: [] };
  const lines = [...moved].map(([environment, addresses]) => `${environment}: ${addresses.length} moved\n`);
  const files = changesFiles ? ' with .agentform/records' : '';
  const next =
    configure === undefined
      ? `Commit agentform.yaml${files}.`
      : `Now put \`record: ${settingsYaml(configure)}\` into agentform.yaml, and commit it${files}.`;
  return {
    answer: lines.join(''),
    messages: [
      ...(history === 0 ? [] : [`The history was moved, too: ${counted(history, 'change')}.`]),
      ...lost.map((part) => `warning: ${part}`),
      next,
    ],
  };
}
