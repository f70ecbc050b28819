import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { blocksOf } from '../support/shell.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

let folder: string;
let consumer: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentform-package-'));
  consumer = join(folder, 'consumer');
  await mkdir(consumer);
  await writeFile(join(consumer, 'package.json'), '{ "private": true, "type": "module" }');
  await npm(consumer, 'install', '--offline', '--no-audit', '--no-fund', await packed(join(folder, 'source')));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the package', () => {
  test('The package is under 12 MB, with licences and a bill of materials of what is bundled.', async () => {
    expect(await readdir(join(consumer, 'node_modules'))).toEqual(['.bin', '.package-lock.json', 'agentform']);
    const files = await filesBelow(join(consumer, 'node_modules/agentform'));
    expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(12_000_000);
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['LICENSE', 'THIRD-PARTY-NOTICES', 'bom.cdx.json', 'docs/library.md']),
    );
    expect(paths.filter((path) => /\.map$|^(src|test|scripts)\/|action\.js/.test(path))).toEqual([]);
    const bom = JSON.parse(await readFile(join(consumer, 'node_modules/agentform/bom.cdx.json'), 'utf8'));
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
    expect(bom.components.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['ajv', 'undici', 'yaml', 'yargs']),
    );
  });

  test('The package creates, validates, plans and applies a project without other programs.', async () => {
    const agentform = (...args: string[]) =>
      run(join(consumer, 'node_modules/.bin/agentform'), args, { cwd: consumer, env: bare(consumer) });
    await agentform('init', 'support', '--sample');
    expect((await agentform('validate', '--project', 'support')).stdout).toMatch(/valid/);
    expect((await agentform('plan', '--project', 'support')).stdout).toContain('1 to create');
    expect((await agentform('apply', '--project', 'support', '--yes')).stdout).toContain('1 applied');
    expect((await agentform('plan', '--project', 'support')).stdout).toContain('No changes');
    expect((await agentform('emulator', '--help')).stdout).toContain('--port');
  });

  test('The package is a library, and the programs of docs/library.md compile and run.', async () => {
    const programs = ['main', 'report', 'texts'];
    const blocks = blocksOf(await readFile(join(root, 'docs/library.md'), 'utf8'), 'ts');
    expect(blocks).toHaveLength(programs.length);
    for (const [index, name] of programs.entries()) await writeFile(join(consumer, `${name}.ts`), blocks[index] ?? '');
    await run(
      process.execPath,
      [
        join(root, 'node_modules/typescript-native/bin/tsc'),
        ...['--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2023'],
        ...[
          '--types',
          'node',
          '--typeRoots',
          join(root, 'node_modules/@types'),
          ...programs.map((name) => `${name}.ts`),
        ],
      ],
      { cwd: consumer },
    );
    const runs = (name: string) => run(process.execPath, [`${name}.js`], { cwd: consumer, env: bare(consumer) });
    expect((await runs('main')).stdout).toContain('No changes');

    await runs('report');
    expect(await readFile(join(consumer, 'report.md'), 'utf8')).toMatch(/^\| Agent\/[\w-]+ \| 20\S+Z \| unmoved \|$/m);

    const [manifest = ''] = await readdir(join(consumer, 'support/agents'));
    const path = join(consumer, 'support/agents', manifest);
    const text = await readFile(path, 'utf8');
    const [, prompt = ''] = /file: (\S+\.md)/.exec(text) ?? [];
    await appendFile(resolve(dirname(path), prompt), '\nBe brief.\n');
    expect((await runs('texts')).stdout).toContain('1 applied');
    await writeFile(path, text.replace(/title: .*/, 'title: Another title'));
    await expect(runs('texts')).rejects.toMatchObject({ code: 3, stderr: expect.stringContaining('not applied') });
  });
});

/** Returns the archive that `npm pack` makes from a copy of the sources without built files. */
async function packed(copy: string): Promise<string> {
  for (const path of ['src', 'scripts', 'schemas', 'docs', 'examples']) {
    await cp(join(root, path), join(copy, path), {
      recursive: true,
      filter: (file) => !/-validators\.(js|d\.ts)$/.test(file),
    });
  }
  const files = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isFile());
  for (const { name } of files) await cp(join(root, name), join(copy, name));
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  await npm(copy, 'pack', '--pack-destination', folder);
  const [archive] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  return join(folder, archive ?? '');
}

/** An environment with Node, but without any configuration of a user. */
function bare(home: string) {
  return { PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter), HOME: home };
}

async function npm(cwd: string, ...args: string[]) {
  return run('npm', args, { cwd, env: { ...bare(folder), PATH: process.env.PATH }, maxBuffer: 2 ** 26 });
}

async function filesBelow(base: string) {
  const entries = await readdir(base, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(files.map(async (path) => ({ path: path.slice(base.length + 1), size: (await stat(path)).size })));
}
