import { spawn } from 'node:child_process';
import type { CliResult } from './cli.ts';

/**
 * Runs a bash script. The script ends at the first command that fails. It does not see the process variables of the
 * tests.
 */
export function runShell(
  script: string,
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<CliResult> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    texts.stdout += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    texts.stderr += chunk;
  });
  return new Promise((done) => child.on('close', (code) => done({ code, ...texts })));
}

/** Returns the fenced code blocks of one language in a Markdown text. */
export function blocksOf(markdown: string, language: string): string[] {
  const pattern = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  return [...markdown.matchAll(pattern)].map(([, block = '']) => block);
}
