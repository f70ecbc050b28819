import { createInterface } from 'node:readline/promises';
import { AgentformError } from '../errors.ts';
import { visibleLine } from '../text/visible.ts';
import type { Console } from './console.ts';

/**
 * Asks for confirmation on the terminal. Throws without a terminal. `otherwise` names the skipped action and the option
 * that confirms in advance.
 */
export async function confirm(question: string, console: Console, otherwise: string): Promise<boolean> {
  if (!console.interactive) throw new AgentformError('declined', otherwise);
  const answer = (await answerTo(`${question} Type "yes" to continue:`, console)) ?? '';
  if (/^y(?:es)?[.!]?$/i.test(answer) && answer !== 'yes') console.say('Only "yes" is accepted.\n');
  return answer === 'yes';
}

/** Reads a line from the terminal. Empty for Enter alone. Undefined for Ctrl-C or the end of input. */
export async function answerTo(question: string, console: Console): Promise<string | undefined> {
  const { stdin, stderr } = console.process;
  const lines = createInterface({ input: stdin, output: stderr });
  const ended = new Promise<undefined>((resolve) => {
    lines.once('SIGINT', () => resolve(undefined)).once('close', () => resolve(undefined));
  });
  let answer: string | undefined;
  try {
    answer = await Promise.race([lines.question(`${visibleLine(console.redact(question))} `), ended]);
    return answer?.trim();
  } finally {
    lines.close();
    if (answer === undefined) stderr.write('\n');
  }
}
