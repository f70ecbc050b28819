import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { declare, type Syntax } from '../../src/cli/options.ts';
import { createParser } from '../../src/cli/usage.ts';

const folder = join(import.meta.dirname, '../../src/commands');

/** The syntax of every command. */
async function syntaxes(): Promise<Syntax[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /(?:^|[\\/])command\.ts$/.test(file));
  const modules = await Promise.all(files.map((file) => import(join(folder, file))));
  const exported = modules.flatMap((module): unknown[] => Object.values(module));
  return exported.flatMap((one) => (isCommand(one) ? [one.syntax] : []));
}

function isCommand(one: unknown): one is { readonly syntax: Syntax } {
  return typeof one === 'object' && one !== null && 'syntax' in one;
}

function parsed(syntax: Syntax, args: readonly string[]): unknown {
  const parser = createParser({ args, program: 'agentform', hintFor: (command) => `see ${command} --help` });
  return declare(parser, syntax).parseSync(args);
}

test('Only a switch can be turned off with --no-.', async () => {
  const all = await syntaxes();
  expect(all.length).toBeGreaterThan(15);
  for (const syntax of all) {
    for (const [name, { type }] of Object.entries(syntax.options())) {
      if (type === 'boolean') continue;
      const word = `--no-${name}`;
      expect(() => parsed(syntax, [word])).toThrow(new RegExp(`has no option ${word}\\b`));
    }
  }
});
