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
