import type { Change, Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import { counted, listSome, shorten } from '../../text/wording.ts';
import { alike } from '../alike.ts';
import { unverifiedNote } from './wording.ts';

/** What a reviewer must not miss: `blocked; no id is known`. */
export interface Notice {
  /** Whom it is about; none if it is the plan as a whole. */
  readonly resources: readonly ResourcePlan[];
  /** What it is in a word, if somebody has to do something about it. */
  readonly label?: string;
  /** What stands behind the label, or the whole sentence; code is in backticks. */
  readonly text: string;
}

const most = { characters: 500, paths: 4, pathCharacters: 80 } as const;

/** All notices, the gravest first; what is to be said of several resources is said once. */
export function noticesOf(plan: Plan, nameOf: NameOf = pathInCode): Notice[] {
  const named = (changes: readonly Change[], { kind }: ResourcePlan) =>
    listSome(
      changes.map((change) => nameOf(change, kind)),
      most.paths,
    );
  return [
    ...plan.refusals.map(({ rule, message }) => ({
      resources: [],
      label: 'Refused',
      text: ` (${rule}): ${shorten(message, most.characters)}`,
    })),
    ...each(plan, ({ action, reasons }) => reasonNotice(['blocked', 'failed'].includes(action), action, reasons)),
    ...each(plan, (resource) => conflictNotice(resource, named)),
    ...each(plan, warningNotice),
    ...each(plan, (resource) => driftNotice(resource, named)),
    ...each(plan, (resource) => unsetNotice(resource, named)),
    ...each(plan, (resource) => blindNotice(resource, named)),
    ...each(plan, sentAgainNotice),
    ...each(plan, ({ action, reasons }) => reasonNotice(action === 'forget', action, reasons)),
    ...each(plan, ({ action, reasons }) => reasonNotice(action === 'orphan', action, reasons)),
  ];
}

/** How an output names the setting of a change; what it holds in backticks is code. */
export type NameOf = (change: Change, kind: string) => string;

type Named = (changes: readonly Change[], resource: ResourcePlan) => string;

type Said = Omit<Notice, 'resources'> | undefined;

function each({ resources }: Plan, noticeOf: (resource: ResourcePlan) => Said): Notice[] {
  const noticed = resources.flatMap((resource) => {
    const said = noticeOf(resource);
    return said === undefined ? [] : [{ resource, said }];
  });
  return alike(noticed, ({ said }) => JSON.stringify(said)).flatMap((group) =>
    group.slice(0, 1).map(({ said }) => ({ ...said, resources: group.map(({ resource }) => resource) })),
  );
}

function reasonNotice(isOne: boolean, label: ResourcePlan['action'], reasons: readonly string[]): Said {
  if (!isOne) return undefined;
  const text = shorten(reasons.join('; '), most.characters);
  return { label, text: text === '' ? '' : `; ${text}` };
}

function conflictNotice(resource: ResourcePlan, named: Named): Said {
  const conflicts = resource.changes.filter(({ cause }) => cause === 'conflict');
  if (conflicts.length === 0) return undefined;
  return { label: 'conflict', text: `: ${named(conflicts, resource)} changed on the service and in the manifest` };
}

function warningNotice({ warnings }: ResourcePlan): Said {
  return warnings.length === 0 ? undefined : { text: shorten(warnings.join('; '), most.characters) };
}

function driftNotice(resource: ResourcePlan, named: Named): Said {
  const drifted = resource.changes.filter(({ cause }) => cause === 'drift');
  if (drifted.length === 0) return undefined;
  return {
    text: `drift: ${named(drifted, resource)} changed on the service since the last apply and will be reverted`,
  };
}

function unsetNotice(resource: ResourcePlan, named: Named): Said {
  const taken = resource.changes.filter(({ op, cause }) => op === 'unset' && cause === 'manifest');
  return taken.length === 0 ? undefined : { text: `${named(taken, resource)} will be unset` };
}

/** A create sends everything without having read anything; that goes without saying. */
function blindNotice(resource: ResourcePlan, named: Named): Said {
  const blind = resource.changes.filter(
    ({ op, cause, knowledge }) => op !== 'release' && cause !== 'unverified' && knowledge === 'blind',
  );
  if (resource.action === 'create' || blind.length === 0) return undefined;
  return {
    text: `${counted(blind.length, 'setting')} will be sent but cannot be read back: ${named(blind, resource)}`,
  };
}

/** Nothing of it changes as far as anybody knows, so it is counted and not named. */
function sentAgainNotice({ changes }: ResourcePlan): Said {
  const { length } = changes.filter(({ cause }) => cause === 'unverified');
  return length === 0 ? undefined : { text: unverifiedNote(length) };
}

/** A backtick would end the code. */
function pathInCode({ path }: Change): string {
  return `\`${shorten(path, most.pathCharacters).replaceAll('`', "'")}\``;
}
