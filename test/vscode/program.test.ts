import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  isAtLeast,
  newestProgram,
  nodePath,
  programAround,
  programIn,
  runProgram,
} from '../../editors/vscode/src/program.ts';

let top: string;
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'agentform-test-'));
});
afterEach(() => rm(top, { recursive: true }));

/** Installs a package in `node_modules` of a folder. */
async function installed(folder: string, manifest: string, program = ''): Promise<string> {
  const path = join(top, folder, 'node_modules', 'agentform');
  await mkdir(join(path, 'dist'), { recursive: true });
  await writeFile(join(path, 'package.json'), manifest);
  await writeFile(join(path, 'dist', 'cli.js'), program);
  return join(path, 'dist', 'cli.js');
}

const bundled = { version: '0.2.0', path: '/extension/cli.js' };

describe('the agentform of a project', () => {
  test('The agentform in node_modules of the project wins over one in a parent folder.', async () => {
    const outer = await installed('.', '{ "name": "agentform", "version": "0.3.0" }');
    await mkdir(join(top, 'clients/clinic'), { recursive: true });
    expect(programAround(join(top, 'clients/clinic'), top)).toEqual({ version: '0.3.0', path: outer });
    const inner = await installed('clients/clinic', '{ "name": "agentform", "version": "0.2.1" }');
    expect(programAround(join(top, 'clients/clinic'), top)).toEqual({ version: '0.2.1', path: inner });
  });

  test('The search for agentform stays in the opened folder.', async () => {
    await installed('.', '{ "name": "agentform", "version": "9.0.0" }');
    await mkdir(join(top, 'opened/clinic'), { recursive: true });
    expect(programAround(join(top, 'opened/clinic'), join(top, 'opened'))).toBeUndefined();
  });

  test.each(['{', '[]', 'null', '{ "name": "other", "version": "9.0.0" }', '{ "name": "agentform", "version": 9 }'])(
    'A package with %s in its package.json is not used as agentform.',
    async (manifest) => {
      await installed('.', manifest);
      expect(programIn(join(top, 'node_modules/agentform'))).toBeUndefined();
    },
  );

  test('A package that was not built is not used as agentform.', async () => {
    const path = await installed('.', '{ "name": "agentform", "version": "9.0.0" }');
    await rm(path);
    expect(programIn(join(top, 'node_modules/agentform'))).toBeUndefined();
  });

  test.each([
    ['0.2.0', '0.2.0', true],
    ['0.2.1', '0.2.0', true],
    ['0.10.0', '0.9.9', true],
    ['1.0.0', '0.99.99', true],
    ['0.1.99', '0.2.0', false],
    ['0.2.0-beta.1', '0.2.0', false],
    ['0.2.1-beta.1', '0.2.0', true],
    ['next', '0.2.0', false],
  ])('The version %s counts as at least %s: %s', (version, wanted, expected) => {
    expect(isAtLeast(version, wanted)).toBe(expected);
  });

  test('The newest agentform is used, or the bundled one if all others are older.', () => {
    const [old, same, newer] = ['0.1.0', '0.2.0', '0.4.0'].map((version) => ({ version, path: `/own/${version}` }));
    expect(newestProgram(bundled, [old, undefined])).toBe(bundled);
    expect(newestProgram(bundled, [old, same])).toBe(same);
    expect(newestProgram(bundled, [newer, same])).toBe(newer);
  });
});

describe('a command of agentform', () => {
  test('VS Code runs a command, unless its Node is too old.', () => {
    expect(nodePath({ node: '20.9.0' })).toBe('node');
    expect(nodePath({ node: '20.14.0' })).toBe(process.execPath);
  });

  test('A command returns its output, its messages and its exit code.', async () => {
    const path = await installed(
      '.',
      '{}',
      "console.log(process.argv.slice(2).join('+'), process.cwd()); console.error('note'); process.exitCode = 3;",
    );
    const run = await runProgram({ version: '0.2.0', path }, ['plan', '--offline'], { cwd: top });
    expect(run).toEqual({ code: 3, stdout: `plan+--offline ${top}\n`, stderr: 'note\n' });
  });

  test('A command that is stopped or cannot start fails.', async () => {
    const path = await installed('.', '{}', 'setInterval(() => {}, 1000);');
    const program = { version: '0.2.0', path };
    await expect(runProgram(program, [], { cwd: top, signal: AbortSignal.abort() })).rejects.toThrow('abort');
    await expect(runProgram(program, [], { cwd: join(top, 'gone') })).rejects.toThrow('ENOENT');
  });
});
