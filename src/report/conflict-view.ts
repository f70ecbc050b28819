import type { Change } from '../schemas/plan-types.ts';
import { type ChangeView, viewChange } from './change-view.ts';
import { unsetValueText } from './wording.ts';

/** One of the two moves that make a conflict: from last applied to what is there now. */
export interface ConflictSide {
  /** Who moved it. */
  readonly label: string;
  /** The value there, or how much changed, in a few words. */
  readonly value: string | undefined;
  readonly difference: Pick<ChangeView, 'lines' | 'form'>;
}

/** The three values of a conflict, as two moves away from the one last applied. */
export interface ConflictView {
  readonly lastApplied: string;
  readonly sides: readonly [service: ConflictSide, manifest: ConflictSide];
  /** All three values are short, so that they can stand one above the other. */
  readonly isShort: boolean;
}

const labels = { last: 'last applied', service: 'on the service', manifest: 'in the manifest' } as const;
const nothing = '(nothing)';
const noDifference = { lines: [], form: 'inline' } as const;

/** Undefined for a change that is no conflict. */
export function viewConflict({ op, cause, from, to, lastApplied }: Change): ConflictView | undefined {
  if (cause !== 'conflict') return undefined;
  const sides = [
    movedSide(labels.service, lastApplied, from),
    op === 'unset' ? takenOutSide(to) : movedSide(labels.manifest, lastApplied, to),
  ] as const;
  return {
    lastApplied: viewChange({ to: lastApplied }).to ?? nothing,
    sides,
    isShort: sides.every(({ difference }) => difference.lines.length === 0),
  };
}

function movedSide(label: string, before: unknown, after: unknown): ConflictSide {
  if (after === undefined) return { label, value: nothing, difference: noDifference };
  const { to, summary, lines, form } = viewChange({ from: before, to: after });
  return { label, value: summary ?? to, difference: { lines, form } };
}

function takenOutSide(to: unknown): ConflictSide {
  const { to: fallback } = viewChange({ to });
  const value = fallback === undefined ? 'taken out' : `taken out, so back to ${unsetValueText(fallback)}`;
  return { label: labels.manifest, value, difference: noDifference };
}

/** The three values one above the other, each with who has it. */
export function conflictRows({ lastApplied, sides }: ConflictView): readonly [last: string, ...sides: string[]] {
  const width = Math.max(...Object.values(labels).map((label) => label.length));
  const row = (label: string, value = '') => `${label.padEnd(width)}  ${value}`.trimEnd();
  return [row(labels.last, lastApplied), ...sides.map(({ label, value }) => row(label, value))];
}

/** What heads the lines that show how one side moved: `in the manifest: 2 lines changed`. */
export function sideHeading({ label, value }: ConflictSide): string {
  return value === undefined ? `${label}:` : `${label}: ${value}`;
}
