import { randomUUID } from 'node:crypto';
import { info } from '@actions/core';

/**
 * Prints text that holds what others wrote. The runner takes a line that begins with `::` for a command to itself, so it
 * is told to take none until a word comes that nobody can know.
 */
export function sayQuoted(text: string): void {
  if (text.trim() === '') return;
  const word = randomUUID();
  info(`::stop-commands::${word}`);
  info(text.trimEnd());
  info(`::${word}::`);
}

/**
 * Where progress goes, whose lines may quote the service. None begins with `::`, but the runner finds commands of the
 * old form anywhere in a line.
 */
export const progressStream = {
  write: (text: string) => process.stderr.write(text.replaceAll('##[', '## [')),
};
