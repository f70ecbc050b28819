import type { Deed } from '../schemas/record-types.ts';
import { visibleLine } from '../text/visible.ts';
import { shorten } from '../text/wording.ts';

/** Who applies, and from what, as far as it is known. */
export interface Applier {
  readonly by?: string;
  readonly commit?: string;
  readonly pullRequest?: number;
  readonly run?: string;
}

/** Names come from a pipeline or from git, which anybody may have set: short, visible and without secrets. */
export function recordedApplier(
  { by, commit, pullRequest, run }: Applier = {},
  redact: (text: string) => string,
): { [Part in keyof Applier]: Applier[Part] | undefined } {
  const shown = (text: string | undefined, most: number) =>
    text === undefined || text === '' ? undefined : shorten(visibleLine(redact(text)), most);
  return { by: shown(by, 100), commit, pullRequest, run: shown(run, 500) };
}

/** The same with the time, for something else than an apply. */
export function deedNow({
  applier,
  now,
  redact,
}: {
  readonly applier?: Applier | undefined;
  readonly now: () => Date;
  readonly redact: (text: string) => string;
}): Deed {
  const known = Object.entries(recordedApplier(applier, redact)).filter(([, value]) => value !== undefined);
  return { at: now().toISOString(), ...Object.fromEntries(known) };
}
