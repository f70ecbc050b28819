import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '..');
const src = join(root, 'src');

interface Rule {
  readonly values: readonly string[];
  /** Folders from which only types may be imported. */
  readonly types?: readonly string[];
}

const leaves = ['notices', 'text', 'json', 'secrets', 'git', 'files'];
const judges = ['prompts', 'policy', 'testing'];
/** The stages of the manifest folder. Each stage may import earlier stages. */
const stages = [
  'manifest/check',
  'manifest/project',
  'manifest/fleet',
  'manifest/resolve/values',
  'manifest/resolve/identity',
  'manifest/resolve',
];
const belowWorkspace = ['kinds', 'yaml', ...judges, ...stages];
const belowSession = [...belowWorkspace, 'workspace', 'service', 'record', 'plan', 'apply'];
const belowCommands = [...belowSession, 'emulator', 'session', 'report', 'cli'];

/**
 * The allowed imports in the table in docs/architecture.md. Every folder may also import the folders below the table.
 */
const allowed: Readonly<Record<string, Rule>> = {
  errors: { values: [] },
  interruption: { values: [] },
  schemas: { values: [] },
  notices: { values: ['json'] },
  text: { values: [] },
  secrets: { values: ['text'] },
  json: { values: ['text'] },
  files: { values: ['json', 'text'] },
  git: { values: ['files'] },
  kinds: { values: leaves },
  yaml: { values: [...leaves, 'kinds'] },
  ...Object.fromEntries(judges.map((judge) => [judge, { values: [...leaves, 'kinds', 'yaml'] }])),
  ...Object.fromEntries(
    stages.map((stage, index) => [
      stage,
      { values: [...leaves, 'kinds', 'yaml', ...judges, ...stages.slice(0, index)] },
    ]),
  ),
  workspace: { values: [...leaves, ...belowWorkspace] },
  service: { values: [...leaves, 'kinds'] },
  record: { values: [...leaves, 'kinds'] },
  plan: { values: [...leaves, 'kinds', 'policy', 'testing'] },
  emulator: { values: [...leaves, 'kinds'] },
  apply: { values: [...leaves, 'kinds', 'plan'], types: ['service', 'record'] },
  session: { values: [...leaves, ...belowSession] },
  report: {
    values: [...leaves, 'kinds', 'yaml', 'plan', 'apply', 'manifest/check'],
    types: stages,
  },
  lsp: { values: [...leaves, ...belowSession, 'session', 'report'] },
  cli: { values: [...leaves, ...belowSession, 'emulator', 'session', 'report'] },
};

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));

const textOf = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]));

/** Maps each file to its imports, including dynamic imports and imports of types. */
const imports = new Map(files.map((file) => [file, importsIn(join(src, file), textOf.get(file) ?? '')]));

test.each(files.map((file) => [file]))('The folder %s imports only what the design allows.', (file) => {
  const home = homeOf(file);
  for (const { text, target, isType } of imports.get(file) ?? []) {
    expect({ text, permitted: isPermitted(home, target, isType) }).toEqual({ text, permitted: true });
  }
});

test('The imports form no circle, including those of types.', () => {
  const done = new Set<string>();
  const circles: string[][] = [];
  const visit = (file: string, way: readonly string[]) => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file]);
    if (done.has(file) || way.includes(file)) return;
    for (const { target } of imports.get(file) ?? []) visit(target, [...way, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

test('Another file uses each name that a file exports.', () => {
  const outside = ['test', 'scripts', 'bench', 'editors/vscode/src'].flatMap(programsIn);
  const used = new Set([
    ...[...imports.values(), ...outside.map(([path, text]) => importsIn(path, text))].flat().flatMap(usedNames),
    ...namesForScripts(),
  ]);
  const exported = files
    .filter((file) => homeOf(file) !== 'schemas' && file !== 'index.ts')
    .flatMap((file) => exportedNames(textOf.get(file) ?? '').map((name) => `${file} ${name}`));
  expect(exported.length).toBeGreaterThan(1000);
  expect(exported.filter((name) => !used.has(name))).toEqual([]);
});

test('The folder plan is pure: no files, clock, random, environment or console.', () => {
  for (const file of files.filter((path) => homeOf(path) === 'plan' || homeOf(path) === 'kinds')) {
    expect({
      file,
      found: textOf
        .get(file)
        ?.match(/node:(fs|net|http|child_process)|Date\.now|new Date\(|Math\.random|process\.|console\./)?.[0],
    }).toEqual({ file });
  }
});

interface Import {
  /** The import statement, or the call of `import`. */
  readonly text: string;
  /** The imported path, relative to `src`. */
  readonly target: string;
  readonly isType: boolean;
  /** The text of the file, if the statement does not list names. */
  readonly dynamicIn?: string;
}

function importsIn(path: string, text: string): Import[] {
  const found = text.matchAll(/^(?:import|export)( type)?[^'"]*? from '(\.[^']+)'|import\('(\.[^']+)'\)/gms);
  // Imports of schemas are skipped, because schemas are data.
  const ofCode = [...found].filter(([, , from]) => !from?.endsWith('.json'));
  return ofCode.map(([statement, isType, from, dynamic]) => ({
    text: statement,
    target: relative(src, resolve(dirname(path), from ?? dynamic ?? '')),
    isType: isType !== undefined,
    ...(dynamic === undefined ? {} : { dynamicIn: text }),
  }));
}

/** Programs outside `src`, by path. */
function programsIn(folder: string): [path: string, text: string][] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|mjs|cjs)$/.test(path))
    .map((path) => [join(root, folder, path), readFileSync(join(root, folder, path), 'utf8')]);
}

function exportedNames(text: string): string[] {
  const declared = text.matchAll(/^export (?:async |abstract )*(?:function\*?|class|const|let|interface|type) (\w+)/gm);
  const listed = text.matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  return [
    ...[...declared].map(([, name = '']) => name),
    ...[...listed].flatMap(([, names = '']) => listOf(names).map((name) => name.replace(/^.* as /, ''))),
  ];
}

/** The names that an import uses. A dynamic import uses each exported name that its file mentions. */
function usedNames({ text, target, dynamicIn }: Import): string[] {
  const exported = exportedNames(textOf.get(target) ?? '');
  const [, names] = text.match(/\{([^}]*)\}/) ?? [];
  const words = new Set(dynamicIn?.match(/\w+/g) ?? listOf(names ?? '').map((name) => name.replace(/ as .*$/, '')));
  const isAll = dynamicIn === undefined && names === undefined;
  return exported.filter((name) => isAll || words.has(name)).map((name) => `${target} ${name}`);
}

/** `a, type b as c` → `['a', 'b as c']`. */
function listOf(names: string): string[] {
  return names
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '');
}

/**
 * The scripts. Scripts bundle modules of `src` and import the bundles, so scripts use each exported name that they
 * mention.
 */
function namesForScripts(): string[] {
  const texts = programsIn('scripts').map(([, text]) => text);
  const words = new Set(texts.flatMap((text) => text.match(/\w+/g) ?? []));
  const modules = texts
    .filter((text) => text.includes('await importSource('))
    .flatMap((text) => [...text.matchAll(/'src\/([\w/-]+\.ts)'/g)]);
  return modules.flatMap(([, file = '']) =>
    exportedNames(textOf.get(file) ?? '')
      .filter((name) => words.has(name))
      .map((name) => `${file} ${name}`),
  );
}

function isPermitted(home: string, target: string, isType: boolean): boolean {
  const to = homeOf(target);
  if (to === home || ['schemas', 'errors', 'interruption'].includes(to)) return true;
  // A command may import only the use case of another command. The program and the entries may import any file.
  if (home.startsWith('commands/')) {
    return isUseCase(target) || [...leaves, ...belowCommands].includes(to) || (home === 'commands/lsp' && to === 'lsp');
  }
  const rule = allowed[home];
  if (rule === undefined) return true;
  return rule.values.includes(to) || (isType && rule.types?.includes(to) === true);
}

/** Whether a file is named after its command, such as `commands/plan/plan.ts`. */
function isUseCase(path: string): boolean {
  return /^commands\/([a-z]+)\/\1\.ts$/.test(path);
}

/** The folder of a file as in the table: `plan`, `manifest/check`, `manifest/resolve/values`, `commands/import`. */
function homeOf(file: string): string {
  const folders = file.split('/').slice(0, -1);
  const deepest = folders.slice(0, 3).join('/');
  if (stages.includes(deepest)) return deepest;
  const [first = file.replace(/\.ts$/, ''), second] = folders;
  return (first === 'manifest' || first === 'commands') && second !== undefined ? `${first}/${second}` : first;
}
