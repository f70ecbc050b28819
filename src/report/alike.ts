import { type Group, grouped, mapTexts } from '../json/json.ts';
import { addressOf } from '../kinds/desired.ts';
import type { Notice, Remedy } from '../notices/notice.ts';
import { shellWord } from '../text/wording.ts';

export function alike<Item>(items: readonly Item[], keyOf: (item: Item) => string): Group<Item>[] {
  return [...grouped(items, keyOf).values()];
}

export interface Named {
  readonly kind: string;
  readonly name: string;
  readonly id?: string | undefined;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Returns a key that is equal for two resources if their notices have the same content. */
export function keyOfCauses(notices: readonly Notice[], resource: Named): string {
  const shared = notices.map((notice) => forAny(notice, resource, 'NAME'));
  const content = shared.map(({ code, facts, remedies }) => [code, facts, remedies]);
  return JSON.stringify(content, (name, value: unknown) => (byChance.has(name) ? undefined : value));
}

/** The facts that differ by chance: the start of each interrupted create, and the retries that calls share. */
const byChance: ReadonlySet<string> = new Set(['startedAt', 'tries']);

/**
 * Rewords a notice about one resource so that it covers all of `resources`. In its commands, selects exactly these
 * resources among `all`. A command that accepts only one resource gets the placeholder `NAME`.
 */
export function noticeForAll(notice: Notice, resources: readonly Named[], all: readonly Named[]): Notice {
  const [first, ...more] = resources;
  if (first === undefined || more.length === 0) return notice;
  const named = globsOf(resources, all);
  const words = labelWords(resources, all) ?? named;
  const listed = named.length < resources.length ? named : resources.map(addressOf);
  const insteadIn = (remedy: Remedy) => {
    const [start = ''] = remedy;
    if (start === 'record' && !remedy.includes('--unclear')) return [`${first.kind}/NAME`];
    // The value of an option must be a list of names, not a label selector.
    return start.startsWith('-') ? [listed.join(',')] : words;
  };
  const remedies = notice.remedies.map((remedy) => {
    const isName = namedIn(remedy, [first]);
    return remedy.flatMap((word, index) => (isName[index] ? insteadIn(remedy) : [word]));
  });
  const said = withoutTries(forAny(notice, first, 'each of them'));
  if (said.code !== 'create-unclear') return { ...said, remedies };
  return { ...said, facts: { ...said.facts, count: resources.length }, remedies };
}

function withoutTries(notice: Notice): Notice {
  if (notice.code !== 'read-failed' && notice.code !== 'call-failed') return notice;
  const { call, ...problem } = notice.facts.problem;
  if (call === undefined) return notice;
  const facts = { ...notice.facts, problem: { ...problem, call: { ...call, tries: 1 } } };
  return { ...notice, facts };
}

/** The service may name an id in its message. A shorter id could be any word. */
const minId = 4;

/** The characters around an id that is part of a longer word. A period ends a sentence unless a word follows. */
const wordBefore = /[\p{L}\p{N}_.-]/u;
const wordAfter = /^(?:[\p{L}\p{N}_-]|\.[\p{L}\p{N}_-])/u;

/** Replaces an id, except inside longer words such as host names. */
function withoutId(text: string, id: string): string {
  if (id.length < minId) return text;
  return text.replaceAll(id, (_, at: number) => {
    const [start, end] = [text.slice(Math.max(0, at - 1), at), text.slice(at + id.length, at + id.length + 2)];
    return wordBefore.test(start) || wordAfter.test(end) ? id : 'ID';
  });
}

function forAny(notice: Notice, resource: Named, word: string): Notice {
  const { name, id = '' } = resource;
  const address = addressOf(resource);
  return mapTexts(notice, (text) => (text === address || text === name ? word : withoutId(text, id)));
}

/** Returns the words that select exactly these resources, such as `-l role=reception` or `'clinic-*'`. */
export function selectorOf(resources: readonly Named[], all: readonly Named[]): string {
  return (labelWords(resources, all) ?? globsOf(resources, all)).map(shellWord).join(' ');
}

/** Replaces many names with a glob, as in `update 'desk-*'`, if a glob selects exactly these resources. */
export function withGlob(remedy: Remedy, resources: readonly Named[], all: readonly Named[]): Remedy | undefined {
  if (resources.length <= maxTyped) return remedy;
  const [glob = '', ...others] = globsOf(resources, all);
  if (others.length > 0) return undefined;
  const named = namedIn(remedy, resources);
  const first = named.indexOf(true);
  return remedy.flatMap((word, index) => {
    if (index === first) return [glob];
    const isRepeated = index > first && word.startsWith('-') && named[index + 1];
    return named[index] || isRepeated ? [] : [word];
  });
}

/** Marks the words of a command that name a resource. A command or environment may have the same name. */
function namedIn(remedy: Remedy, resources: readonly Named[]): boolean[] {
  const names = new Set(resources.flatMap((one) => [one.name, addressOf(one)]));
  const start = remedy[0] === 'record' ? 2 : 1;
  return remedy.map((word, index) => index >= start && remedy[index - 1] !== '-e' && names.has(word));
}

function othersIn(all: readonly Named[], resources: readonly Named[]): Named[] {
  const inside = new Set(resources.map(addressOf));
  return all.filter((one) => !inside.has(addressOf(one)));
}

function labelWords(resources: readonly Named[], all: readonly Named[]): string[] | undefined {
  const label = sharedLabel(resources, all);
  return label && ['-l', label.join('=')];
}

export function sharedLabel(resources: readonly Named[], all: readonly Named[]) {
  const [first, ...more] = resources;
  const others = othersIn(all, resources);
  return Object.entries(first?.labels ?? {}).find(([key, value]) => {
    const isOf = ({ labels }: Named) => labels?.[key] === value;
    return more.every(isOf) && !others.some(isOf);
  });
}

/** The maximum number of names to list. More names become a glob if a shared prefix selects no other resource. */
const maxTyped = 10;

function globsOf(resources: readonly Named[], all: readonly Named[]): string[] {
  const others = othersIn(all, resources);
  const shared = new Set(others.map(({ name }) => name));
  const names = [...new Set(resources.map((one) => (shared.has(one.name) ? addressOf(one) : one.name)))];
  if (names.length <= maxTyped) return names;
  const start = commonStart(resources.map(({ name }) => name));
  if (start === '') return names;
  const kind = resources[0]?.kind ?? '';
  if (!others.some(({ name }) => name.startsWith(start))) return [`${start}*`];
  const isOf = (other: Named) => other.kind === kind && other.name.startsWith(start);
  return others.some(isOf) ? names : [`${kind}/${start}*`];
}

function commonStart([first = '', ...others]: readonly string[]): string {
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}
