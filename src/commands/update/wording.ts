import { addressOf } from '../../kinds/desired.ts';
import { type Remedy, remedyIn } from '../../notices/notice.ts';
import { remedyText, sentenceOf } from '../../report/notices.ts';
import { counted, listSome } from '../../text/wording.ts';
import type { ManifestUpdates, UpdatedResource } from './check.ts';

/** Returns notes about an update: removed variables, and skipped fields with reasons. */
export function updateNotes(resource: UpdatedResource, environment: string): string[] {
  return [
    ...resource.updated.flatMap(lostSentences),
    ...resource.refused.map(refusedSentence),
    ...keptSentences(resource, environment),
    ...leftSentences(resource.left),
  ];
}

/** Names removed variables: `settings.welcomeMessage no longer uses ${var.clinic}`. */
export function lostSentences({ path, lostVariables = [] }: UpdatedResource['updated'][number]): string[] {
  const names = lostVariables.map((name) => `\${var.${name}}`);
  return names.length === 0 ? [] : [`${path} no longer uses ${listSome(names, 10)}`];
}

export function refusedSentence({ path, reason }: UpdatedResource['refused'][number]): string {
  return `not updated: ${path === '' ? '' : `${path}: `}${sentenceOf(reason)}`;
}

export function keptSentences({ kind, name, kept }: UpdatedResource, environment: string): string[] {
  if (kept.length === 0) return [];
  const command = remedyText(overwriting({ kind, name }, environment));
  return [`kept the manifest's value of ${listSome(kept, 10)}; to replace the live value, run ${command}`];
}

function overwriting(resource: Pick<UpdatedResource, 'kind' | 'name'>, environment: string): Remedy {
  return remedyIn(environment, 'apply', '--overwrite', addressOf(resource));
}

/** Returns the commands in the sentences about skipped fields. */
export function notUpdatedRemedies(resource: UpdatedResource, environment: string): Remedy[] {
  const { refused, kept } = resource;
  return [
    ...refused.flatMap(({ reason }) => reason.remedies),
    ...(kept.length === 0 ? [] : [overwriting(resource, environment)]),
  ];
}

export function leftSentences(left: UpdatedResource['left']): string[] {
  if (left.length === 0) return [];
  const paths = listSome(left, 10);
  return [
    `skipped, because only the files changed: ${paths}; to copy the live value anyway, name a field with --field`,
  ];
}

/** Lists other resources that change too, because they share a declaration. */
export function alsoSentences({ alsoChanged }: ManifestUpdates): string[] {
  if (alsoChanged.length === 0) return [];
  const lines = alsoChanged.map(
    ({ address, environment, paths }) => `${address} in ${environment}: ${listSome(paths, 5)}`,
  );
  const hidden = lines.length - maxElsewhere;
  return [
    'These values are declared in the same place and change too:',
    ...lines.slice(0, maxElsewhere),
    ...(hidden > 0 ? [`… and ${counted(hidden, 'more resource')}; --format json lists all`] : []),
  ];
}

/** Lists files that no manifest uses after the update. `update` does not delete them. */
export function unusedSentences({ unused = [] }: ManifestUpdates): string[] {
  if (unused.length === 0) return [];
  const [what, them] = unused.length === 1 ? ['file', 'it'] : ['files', 'them'];
  return [`Nothing uses the ${what} ${listSome(unused, 10)} any more; delete ${them} if you do not need ${them}.`];
}

/** The maximum number of resources to list. Further resources are only counted. */
const maxElsewhere = 20;
