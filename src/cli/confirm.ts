import { createInterface } from 'node:readline/promises';
import { AgentformError } from '../errors.ts';
import type { Console } from './console.ts';

/** Asks on the terminal. Without one nothing is asked, and the message names the flag that answers beforehand. */
export async function confirm(question: string, console: Console): Promise<boolean> {
  if (!console.interactive) {
    throw new AgentformError(
      'declined',
      'nothing was applied: there is no terminal to ask on; use --yes or --plan FILE',
    );
  }
  const { stdin, stderr } = console.process;
  const lines = createInterface({ input: stdin, output: stderr });
  const interrupted = new Promise<string>((resolve) => lines.once('SIGINT', () => resolve('')));
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  let answered = false;
  try {
    const answer = await Promise.race([lines.question(question), interrupted, closed]);
    answered = answer !== '';
    return answer.trim() === 'yes';
  } finally {
    lines.close();
    if (!answered) stderr.write('\n');
  }
}
