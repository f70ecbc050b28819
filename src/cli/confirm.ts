import { createInterface } from 'node:readline/promises';
import { AgentformError } from '../errors.ts';
import { visibleLine } from '../text/visible.ts';
import type { Console } from './console.ts';

/** Asks for confirmation on the terminal. If there is no terminal, throws `declined` with the message `otherwise`. */
export async function confirm(question: string, console: Console, otherwise: string): Promise<boolean> {
  if (!console.interactive) throw new AgentformError('declined', otherwise);
  const answer = (await answerTo(`${question} Type "yes" to continue:`, console)) ?? '';
  if (/^y(?:es)?[.!]?$/i.test(answer) && answer !== 'yes') console.say('Only "yes" is accepted.\n');
  return answer === 'yes';
}

/** Asks a question on the terminal. Returns the trimmed line, or undefined after Ctrl-C or at the end of input. */
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
