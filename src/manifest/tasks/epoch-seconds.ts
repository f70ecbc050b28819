/** Seconds since 1970 have at most so many digits until the year 5138; more are milliseconds. */
const mostSeconds = 99_999_999_999;

/** The seconds, or why the number is not one of seconds: the end of a sentence that begins "X is N". */
export type EpochSeconds = { readonly seconds: number } | { readonly problem: string };

/** Reads a count of seconds since 1970 (specification, "Task", scheduledFor). Milliseconds are told from it by size. */
export function readEpochSeconds(text: string): EpochSeconds {
  if (!/^-?\d+$/.test(text)) return { problem: ': expected whole seconds since 1970, such as 1796112000' };
  const value = Number(text);
  if (value < 0) return { problem: ', which is before 1970: expected whole seconds since 1970, such as 1796112000' };
  if (value <= mostSeconds) return { seconds: value };
  const seconds = Math.floor(value / 1000);
  if (seconds > mostSeconds) return { problem: ', which is too large: expected whole seconds since 1970' };
  return { problem: `, which is in milliseconds: write it in seconds, ${seconds}` };
}
