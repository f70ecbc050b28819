import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const src = resolve(import.meta.dirname, '../src');

interface Rule {
  readonly values: readonly string[];
  /** What may be imported as types only. */
  readonly types?: readonly string[];
}

const leaves = ['notices', 'text', 'json', 'secrets', 'git', 'files'];
const judges = ['prompts', 'policy', 'testing'];
/** Each may import those before it. */
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

/** The table of allowed imports in docs/architecture.md, besides what every folder may import. */
const allowed: Readonly<Record<string, Rule>> = {
  errors: { values: [] },
  interruption: { values: [] },
  schemas: { values: [] },
  notices: { values: ['json'] },
  text: { values: [] },
  secrets: { values: [] },
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

/** Every import, by importing file: dynamic ones and types too. */
const imports = new Map(files.map((file) => [file, importsOf(file)]));

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

test('The folder plan is pure: no files, clock, random, environment or console.', () => {
  for (const file of files.filter((path) => homeOf(path) === 'plan' || homeOf(path) === 'kinds')) {
    const text = readFileSync(join(src, file), 'utf8');
    expect({
      file,
      found: text.match(/node:(fs|net|http|child_process)|Date\.now|new Date\(|Math\.random|process\.|console\./)?.[0],
    }).toEqual({ file });
  }
});

function importsOf(file: string) {
  const text = readFileSync(join(src, file), 'utf8');
  const found = text.matchAll(/^(?:import|export)( type)?[^'"]*? from '(\.[^']+)'|import\('(\.[^']+)'\)/gms);
  // Schemas are data.
  const ofCode = [...found].filter(([, , from]) => !from?.endsWith('.json'));
  return ofCode.map(([text, isType, from, dynamic]) => ({
    text,
    target: relative(src, resolve(dirname(join(src, file)), from ?? dynamic ?? '')),
    isType: isType !== undefined,
  }));
}

function isPermitted(home: string, target: string, isType: boolean): boolean {
  const to = homeOf(target);
  if (to === home || ['schemas', 'errors', 'interruption'].includes(to)) return true;
  // A command knows another one's use case, and nothing else of it. The program and the entries know them all.
  if (home.startsWith('commands/')) {
    return isUseCase(target) || [...leaves, ...belowCommands].includes(to) || (home === 'commands/lsp' && to === 'lsp');
  }
  const rule = allowed[home];
  if (rule === undefined) return true;
  return rule.values.includes(to) || (isType && rule.types?.includes(to) === true);
}

/** `commands/plan/plan.ts`: the file that bears its command's name. */
function isUseCase(path: string): boolean {
  return /^commands\/([a-z]+)\/\1\.ts$/.test(path);
}

/** A folder of the table: `plan`, `manifest/check`, `manifest/resolve/values`, `commands/import`. */
function homeOf(file: string): string {
  const folders = file.split('/').slice(0, -1);
  const deepest = folders.slice(0, 3).join('/');
  if (stages.includes(deepest)) return deepest;
  const [first = file.replace(/\.ts$/, ''), second] = folders;
  return (first === 'manifest' || first === 'commands') && second !== undefined ? `${first}/${second}` : first;
}
