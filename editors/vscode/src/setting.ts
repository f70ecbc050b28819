/** A part of an outline in VS Code. */
export interface OutlineItem {
  readonly name: string;
  /** A value of one line. */
  readonly detail: string;
  readonly isList: boolean;
  readonly start: Place;
  readonly end: Place;
  readonly children: readonly OutlineItem[];
}

interface Place {
  readonly line: number;
  readonly character: number;
}

/** The arguments of `explain` and `history` for a place in a manifest. */
export interface Setting {
  /** `Kind/name`; the kind alone for a base, which has no name. */
  readonly subject: string;
  readonly isResource: boolean;
  /** As in a plan; undefined outside of the settings. */
  readonly path: string | undefined;
  /** The environment whose overlay has the place. */
  readonly environment: string | undefined;
}

/** The setting at a place of a manifest; undefined for a file that declares nothing. */
export function settingAt(outline: readonly OutlineItem[], place: Place): Setting | undefined {
  const detailOf = (key: string) => outline.find(({ name }) => name === key)?.detail ?? '';
  const [kind, name] = [detailOf('kind'), detailOf('name')];
  if (kind === '') return undefined;
  const isResource = name !== '';
  const steps = stepsAt(outline, place);
  const isOverlay = steps[0]?.name === 'environments';
  const environment = isOverlay ? steps[1]?.name : undefined;
  const inside = isOverlay ? steps.slice(2) : steps;
  const isSetting = inside[0] !== undefined && !envelope.has(inside[0].name);
  return {
    subject: isResource ? `${kind}/${name}` : kind,
    ...{ isResource, environment, path: isSetting ? pathOf(inside) : undefined },
  };
}

/** The keys of a manifest that are not sent. */
const envelope: ReadonlySet<string> = new Set([
  ...['apiVersion', 'kind', 'name', 'renamedFrom', 'extends', 'target', 'environments', 'onlyIn', 'labels'],
  ...['variables', 'agent', 'organization'],
]);

function stepsAt(outline: readonly OutlineItem[], place: Place): OutlineItem[] {
  const item = outline.find(({ start, end }) => !isBefore(place, start) && !isBefore(end, place));
  return item === undefined ? [] : [item, ...stepsAt(item.children, place)];
}

function isBefore(one: Place, other: Place): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}

/** `settings.title`, `skills[calendar]`. */
function pathOf(steps: readonly OutlineItem[]): string {
  return steps.reduce((path, { name }, index) => {
    if (index === 0) return name;
    return steps[index - 1]?.isList ? `${path}[${name}]` : `${path}.${name}`;
  }, '');
}
