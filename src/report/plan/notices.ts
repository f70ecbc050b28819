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
export function noticesOf(plan: Plan): Notice[] {
  return [
    ...plan.refusals.map(({ rule, message }) => ({
      resources: [],
      label: 'Refused',
      text: ` (${rule}): ${shorten(message, most.characters)}`,
    })),
    ...each(plan, ({ action, reasons }) => reasonNotice(['blocked', 'failed'].includes(action), action, reasons)),
    ...each(plan, conflictNotice),
    ...each(plan, warningNotice),
    ...each(plan, driftNotice),
    ...each(plan, unsetNotice),
    ...each(plan, blindNotice),
    ...each(plan, sentAgainNotice),
    ...each(plan, ({ action, reasons }) => reasonNotice(action === 'forget', action, reasons)),
    ...each(plan, ({ action, reasons }) => reasonNotice(action === 'orphan', action, reasons)),
  ];
}

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

function conflictNotice({ changes }: ResourcePlan): Said {
  const conflicts = changes.filter(({ cause }) => cause === 'conflict');
  if (conflicts.length === 0) return undefined;
  return { label: 'conflict', text: `: ${paths(conflicts)} changed on the service and in the manifest` };
}

function warningNotice({ warnings }: ResourcePlan): Said {
  return warnings.length === 0 ? undefined : { text: shorten(warnings.join('; '), most.characters) };
}

function driftNotice({ changes }: ResourcePlan): Said {
  const drifted = changes.filter(({ cause }) => cause === 'drift');
  if (drifted.length === 0) return undefined;
  return { text: `drift: ${paths(drifted)} changed on the service since the last apply and will be reverted` };
}

function unsetNotice({ changes }: ResourcePlan): Said {
  const taken = changes.filter(({ op, cause }) => op === 'unset' && cause === 'manifest');
  return taken.length === 0 ? undefined : { text: `${paths(taken)} will be unset` };
}

/** A create sends everything without having read anything; that goes without saying. */
function blindNotice({ action, changes }: ResourcePlan): Said {
  const blind = changes.filter(
    ({ op, cause, knowledge }) => op !== 'release' && cause !== 'unverified' && knowledge === 'blind',
  );
  if (action === 'create' || blind.length === 0) return undefined;
  return { text: `${counted(blind.length, 'setting')} will be sent but cannot be read back: ${paths(blind)}` };
}

/** Nothing of it changes as far as anybody knows, so it is counted and not named. */
function sentAgainNotice({ changes }: ResourcePlan): Said {
  const { length } = changes.filter(({ cause }) => cause === 'unverified');
  return length === 0 ? undefined : { text: unverifiedNote(length) };
}

/** A backtick would end the code. */
function paths(changes: readonly Change[]): string {
  return listSome(
    changes.map(({ path }) => `\`${shorten(path, most.pathCharacters).replaceAll('`', "'")}\``),
    most.paths,
  );
}
