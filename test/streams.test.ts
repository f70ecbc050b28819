import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const src = resolve(import.meta.dirname, '../src');

/**
 * Code that may write to a stream of the process, with the reason why the output contains no unescaped foreign text.
 */
const allowed: Readonly<Record<string, string>> = {
  'cli/console.ts': 'makes everything visible',
  'action/log.ts': 'makes everything visible',
  'main.ts': 'prints the version',
  'commands/program.ts': 'asks for the columns',
  'cli/interrupt.ts': 'prints sentences of its own, when the console may be held back',
  'cli/confirm.ts': 'asks a question that it makes visible',
  'commands/init/questions.ts': 'asks questions that it makes visible',
  'commands/import/command.ts': 'asks a question that it makes visible',
  'commands/import/fleet/ask.ts': 'asks a question that has no text of others',
  'cli/host.ts': 'shows progress, whose steps make their titles visible',
  'commands/task/upload/command.ts': 'shows a bar of numbers',
  'commands/lsp/command.ts': 'gives it to the language server, which writes JSON in frames',
  'commands/validate/command.ts': 'clears the terminal',
};

test.each([
  [
    'a stream of the process',
    /\bprocess\.std(?:out|err)\b|\bstd(?:out|err)\b[^;]*\} = (?:\w+\.)?process\b|\bwriteSync\b|(?<![\w.])console\.(?:log|info|warn|error|debug)\(/,
  ],
  [
    "a printing function of GitHub's",
    /import \{[^}]*\b(?:info|notice|warning|error|debug|setFailed)\b[^}]*\} from '@actions\/core'|\* as core/,
  ],
])('The use of %s is limited to code that makes output visible.', (_what, pattern) => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const touching = files.filter((file) => pattern.test(withoutComments(readFileSync(join(src, file), 'utf8'))));
  expect(touching.filter((file) => allowed[file] === undefined)).toEqual([]);
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
