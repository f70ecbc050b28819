import type { Group } from '../../json/json.ts';
import type { Notice } from '../../notices/notice.ts';
import { isUnclearEdit, plannedAction } from '../../plan/pending.ts';
import type { Change, ResourcePlan } from '../../schemas/plan-types.ts';
import { dayOf } from '../../text/time.ts';
import { capitalised, present } from '../../text/wording.ts';
import { alike, keyOfCauses, noticeForAll, sharedLabel } from '../alike.ts';
import { type Card, factsOf, type Part } from '../blocks.ts';
import { plainSentenceOf, remedyText, sentencesOf } from '../notices.ts';
import { settingTitles } from '../values.ts';
import { cardHead, groupLocation, titlesOf } from '../wording.ts';
import { type CardContext, maxOpen } from './card-parts.ts';
import { editedWords, editsNote } from './edits.ts';
import { freeId } from './groups.ts';
import { namesText } from './questions.ts';

export function holdCards(resources: readonly ResourcePlan[], takenIds: Set<string>, context: CardContext): Card[] {
  const groups = alike(resources, (resource) => {
    const { kind, held: hold, reasons } = resource;
    const others = keyOfCauses(reasons.filter(isOther), resource);
    return JSON.stringify([kind, hold?.by, hold?.reason, hold?.fields, hold?.until, others]);
  });
  const isOpen = groups.length <= maxOpen;
  return groups.map((group) => ({ ...holdCard(group, freeId('hold', takenIds), context), isOpen }));
}

function holdCard(resources: Group<ResourcePlan>, id: string, context: CardContext): Card {
  const [first] = resources;
  const { plan, isExact } = context;
  const { held = { by: '', since: '' } } = first;
  const isGroup = resources.length > 1;
  const why = held.reason ?? 'rolled back to an earlier version';
  const elsewhere = first.reasons.find(isOther);
  // Labels and commands may also select new resources, because these cannot be on hold.
  const others = plan.resources.filter((one) => (one.prevented?.action ?? plannedAction(one)) !== 'create');
  const [key, value] = (isGroup && sharedLabel(resources, others)) || [];
  const said = elsewhere === undefined ? why : plainSentenceOf(elsewhere, { titleOf: titlesOf(context.resources) });
  const where = key === undefined ? '' : `, ${key} “${value}”`;
  const exact = isExact ? sentencesOf(resources.flatMap(({ reasons }) => reasons.filter(isOther))) : [];
  const commands = endCommands(resources, others);
  const ends = commands.map(([name, command]) => `${name}: ${command}`);
  const { foot, ...head } = cardHead(resources, { isExact, location: groupLocation(resources) });
  return {
    type: 'card',
    id,
    mark: 'held',
    ...head,
    lead: `on hold${where}: `,
    what: said,
    status: 'on hold',
    tags: [{ text: isGroup ? 'Stay as they are' : 'Stays as it is', mark: 'held' }],
    parts: () => partsOf(resources, isExact ? [`Reason: ${why}`, ...ends, ...[...new Set(exact)].slice(0, 3)] : []),
    technical: () => factsOf([...commands, ['Held settings', held.fields?.join(', ')]]),
    foot: () => [...foot, ...ends],
  };
}

/** Says when a hold ends, in words that follow `Ends`. */
function endOf({ held, kind }: ResourcePlan): string {
  const { fields = [] } = held ?? {};
  const settings = `${fields.length === 1 ? '' : 'one of '}${settingTitles(kind, fields, 3)}`;
  const until = dayOf(held?.until);
  const end = fields.length > 0 ? `when the files change ${settings}` : until && `on ${until}`;
  return present(end, 'when the hold is released').join(', or ');
}

function endCommands(resources: Group<ResourcePlan>, all: readonly ResourcePlan[]) {
  const remedies = resources[0].reasons.flatMap((reason) => noticeForAll(reason, resources, all).remedies);
  const effects = { update: 'Keep the held values', unhold: 'Release the hold' } as const;
  return Object.entries(effects).flatMap(([command, effect]) => {
    const remedy = remedies.find(([start]) => start === command);
    return remedy === undefined ? [] : [[effect, remedyText(remedy)] as const];
  });
}

/** Returns whether a reason is not a hold on the resource itself. */
function isOther({ code }: Notice): boolean {
  return code !== 'held' && code !== 'settings-kept';
}

function hasEdits({ changes }: ResourcePlan): boolean {
  return changes.some(({ cause }) => cause === 'drift');
}

function partsOf(resources: Group<ResourcePlan>, hints: readonly string[]): Part[] {
  const [first] = resources;
  const [since, ...later] = new Set(resources.map(({ held }) => dayOf(held?.since)));
  const changes = resources.flatMap((one) => one.changes);
  const titlesBecause = (...causes: readonly Change['cause'][]) => {
    const paths = changes.flatMap(({ cause, path }) => (causes.includes(cause) ? path : []));
    return settingTitles(first.kind, paths);
  };
  const edited = titlesBecause('drift');
  const editedIn = resources.length === 1 ? '' : ` in ${namesText(resources.filter(hasEdits))}`;
  const rows = factsOf([
    ['Held by', present(first.held?.by, later.length === 0 && since && `since ${since}`).join(', ')],
    ['Ends', endOf(first)],
    ['Waiting to change', titlesBecause('manifest', 'adopt', 'conflict')],
    [capitalised(editedWords(resources.some(isUnclearEdit))), edited && `${edited}${editedIn}`],
  ]);
  // For several resources, the note would say less than the row above it.
  const edits = resources.length > 1 && edited !== '' ? undefined : editsNote(resources);
  return present<Part>(
    { type: 'facts', rows },
    edits && { type: 'note', mark: 'again', text: edits },
    ...hints.map((text): Part => ({ type: 'note', mark: 'held', text })),
  );
}
