import { spawn } from 'node:child_process';
import { cliCommand } from './node.ts';

export interface TerminalResult {
  readonly code: number | null;
  /** All printed text, without control sequences. */
  readonly screen: string;
  /** The state of the cursor when the program ends. */
  readonly cursor: 'hidden' | 'shown';
}

/**
 * Keys to type once the text appears on the screen. The text must appear after the earlier keys were typed. A function
 * can do something before it returns the keys.
 */
export type Typed = readonly [when: string, keys: string | (() => string)];

export const keys = { up: '\u001b[A', down: '\u001b[B', enter: '\r', erase: '\u007f', interrupt: '\u0003' } as const;

export interface TerminalOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The width of the terminal. A new terminal has 0 columns until its size is set. */
  readonly columns?: number;
}

/** Runs the CLI on a separate terminal, which `script` creates, and types the keys. */
export function runOnTerminal(
  args: readonly string[],
  { cwd, env = {}, columns = 100 }: TerminalOptions,
  typed: readonly Typed[],
): Promise<TerminalResult> {
  const words = [...cliCommand, ...args].map((word) => `'${word}'`).join(' ');
  const command = `stty cols ${columns} rows 40; exec ${words}`;
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('script', ['-qefc', command, '/dev/null'], { cwd, env: { PATH, HOME, TERM: 'xterm', ...env } });
  // A run may end before it reads what is typed. The screen then shows why.
  child.stdin.on('error', () => {});
  let screen = '';
  let seen = 0;
  const waiting = [...typed];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    screen += chunk;
    const [next] = waiting;
    const at = next === undefined ? -1 : screen.indexOf(next[0], seen);
    if (next === undefined || at < 0) return;
    seen = at + next[0].length;
    waiting.shift();
    child.stdin.write(typeof next[1] === 'string' ? next[1] : next[1]());
  });
  return new Promise((settle, reject) => {
    child.on('error', reject);
    // Kills a run if an expected text never appears. The test then shows the screen.
    const deadline = setTimeout(() => child.kill(), 300_000);
    child.on('close', (code) => {
      clearTimeout(deadline);
      const isHidden = screen.lastIndexOf('\u001b[?25l') > screen.lastIndexOf('\u001b[?25h');
      settle({ code, screen: plain(screen), cursor: isHidden ? 'hidden' : 'shown' });
    });
  });
}

function plain(screen: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the regex removes control sequences
  return screen.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replaceAll('\r', '');
}
