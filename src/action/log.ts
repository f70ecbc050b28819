import { randomUUID } from 'node:crypto';
import * as core from '@actions/core';
import { type Annotation, renderWorkflowCommands } from '../report/problems/annotations.ts';
import { visible } from '../text/visible.ts';

// Prints to the log, without control characters that would affect logs and terminals.

/**
 * Prints text that other people may have written. The runner executes lines that begin with `::` as commands. This
 * function therefore disables commands up to a line with a random word.
 */
export function printQuoted(text: string): void {
  if (text.trim() === '') return;
  const word = randomUUID();
  core.info(`::stop-commands::${word}`);
  core.info(visible(text.trimEnd()));
  core.info(`::${word}::`);
}

/** Prints annotations of file lines. */
export function printAnnotations(annotations: readonly Annotation[]): void {
  process.stdout.write(renderWorkflowCommands(annotations));
}

export function logNotice(message: string): void {
  core.notice(visible(message));
}

export function warning(message: string): void {
  core.warning(visible(message));
}

export function setFailed(message: string): void {
  core.setFailed(visible(message));
}

/**
 * Prints progress, which may quote the service. No line begins with `::`, but the runner also recognises the older form
 * `##[command]` in the middle of a line.
 */
export const progressStream = {
  write: (text: string) => process.stderr.write(visible(text).replaceAll('##[', '## [')),
};
