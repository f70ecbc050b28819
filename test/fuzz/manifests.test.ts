import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../../src/json/json.ts';
import { loadProject } from '../../src/manifest/project/load-project.ts';
import { validateProject } from '../../src/manifest/resolve/validate-project.ts';
import { renderProblems } from '../../src/report/problems/problems-text.ts';
import { fieldsByKind, type KindName } from '../../src/schemas/fields.ts';
import { type Problem, ProblemsError } from '../../src/yaml/problem.ts';
import { codePoint } from '../support/code-point.ts';
import { fuzzing, fuzzTimeout } from '../support/fuzz.ts';

// Tests that `validate` ends soon and reports only problems with a place, whatever a project's files contain.

/** The maximum processor time for a project, in microseconds. */
const maxTime = 10_000_000;

/**
 * Texts that try to crash or slow down a parser. Each text is used as a value, as the content of a file and as a name.
 */
const hostileTexts = [
  `${'('.repeat(200)}a${')'.repeat(200)}`,
  '(a)'.repeat(5000),
  '(a+)+$',
  '(a|a)*b',
  `${'[a-z]+'.repeat(60)}$`,
  '${var.none}',
  '${var.clinic}',
  '${var.large}',
  '${secret.AGENT_TOKEN}',
  '${secret.'.repeat(50),
  '${var.'.repeat(20_000),
  '${var.none}'.repeat(5000),
  '${var.large}'.repeat(200),
  '$${var.clinic}',
  '\u0000\u001b[31m\u202e\ufeff',
  '\ud800',
  'a'.repeat(100_000),
  '__proto__',
  'constructor',
  '*a',
  '&a',
  '<<',
  '!!binary',
  '0x1F',
  '1e999',
  '9'.repeat(400),
  '../../../../etc/passwd',
  '/dev/zero',
  'agents/a.yaml',
  '.',
  '',
  '+1'.repeat(100),
  `https://${'a.'.repeat(2000)}example.com`,
  'https://user:hunter2@service.example.com',
  `${'a@'.repeat(2000)}example.com`,
  'apikey',
] as const;

const hostilePatterns = [
  'agents/(a+)+b.yaml',
  `agents/${'*a'.repeat(30)}b`,
  '('.repeat(20_000),
  '{a,b}'.repeat(40),
  `{${'a,'.repeat(5000)}`,
  `${'**/'.repeat(300)}a`,
  '!agents/**',
  '../**',
  '[',
  '\\',
  '',
];

const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 60 }) },
);

const hostileValue: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.constantFrom<Json>(null, true, 0, -1, 1.5, 2 ** 60, [], {}) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 300 }).map(nested) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(10, 3000), hostileText).map(([count, text]) => wideMap(count, text)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(10, 3000), hostileText)
      .map(([count, text]) => Array<Json>(count).fill(text.slice(0, 200))),
  },
  { weight: 1, arbitrary: hostileText.map((file): Json => ({ file })) },
);

function nested(depth: number): Json {
  let value: Json = 'x';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

function wideMap(count: number, text: string): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${text.slice(0, 50)}${index}`, index]));
}

const kinds = Object.keys(fieldsByKind).filter((kind): kind is KindName => kind in fieldsByKind);

/** A manifest that declares some fields of the kind, mostly with values of the right type. */
const manifest: fc.Arbitrary<JsonObject> = fc
  .constantFrom(...kinds)
  .chain((kind) =>
    fc.tuple(fc.constant(kind), fc.constantFrom('a', 'b', 'desk', 'A B', ''), fc.subarray([...fieldsByKind[kind]])),
  )
  .chain(([kind, name, fields]) =>
    fc
      .record({
        kind: fc.constant(kind),
        name: fc.constant(name),
        values: fc.array(fc.oneof(fc.constantFrom<Json>('text', 1, true, ['x']), hostileValue), {
          minLength: fields.length,
          maxLength: fields.length,
        }),
        envelope: fc.dictionary(
          fc.constantFrom(
            'extends',
            'target',
            'environments',
            'organization',
            'agent',
            'extraSettings',
            'memberId',
            'x',
          ),
          fc.oneof(
            hostileValue,
            fc.constantFrom<Json>(
              '../shared/base.yaml',
              { agentId: 'camp_1' },
              { local: { settings: { title: 'x' } } },
            ),
          ),
          { maxKeys: 3 },
        ),
      })
      .map(({ values, envelope }) => {
        const sections: Record<string, Json> = {};
        for (const [index, { section, name: field, isSection }] of fields.entries()) {
          const value = values[index] ?? null;
          const own = sections[section];
          if (isSection) sections[section] = value;
          else sections[section] = { ...(isJsonObject(own) ? own : {}), [field]: value };
        }
        return { apiVersion: 'agentform/v1', kind, name, ...sections, ...envelope };
      }),
  );

/** YAML texts that cannot be generated from a tree. */
const rawYaml = fc.constantFrom(
  '[',
  '['.repeat(50_000),
  '{a: '.repeat(20_000),
  `a: ${'- '.repeat(50_000)}`,
  `? ${'? '.repeat(20_000)}`,
  Array.from({ length: 30 }, (_, index) => `a${index}: &a${index} [${`*a${index - 1},`.repeat(9)}]`)
    .join('\n')
    .replace('*a-1', '1'),
  `base: &b {${Array.from({ length: 1000 }, (_, index) => `k${index}: 1`).join(', ')}}\nx:\n${'  <<: *b\n'.repeat(20_000)}`,
  `base: &b {a: 1}\nx: { <<: [${'*b, '.repeat(50_000)}] }`,
  '&a '.repeat(20_000),
  '*a: 1\n'.repeat(5000),
  '--- 1\n'.repeat(20_000),
  '%YAML 9.9\n---\na: 1',
  `!!${'x'.repeat(50_000)} a`,
  `${'k'.repeat(500_000)}: 1`,
  'a: 1\n'.repeat(30_000),
  'a: |\n'.repeat(30_000),
  '"'.repeat(100_001),
  '\t'.repeat(100_000),
  '\u2028a: b\u0085c: d',
  `a: "${'\\x41'.repeat(100_000)}"`,
  '# '.repeat(100_000),
  `apiVersion: agentform/v1\nkind: Agent\nname: a\nsettings: { title: T, description: d, links: [${'1,'.repeat(50_000)}] }`,
  `apiVersion: agentform/v1\nkind: Agent\nname: a\nsettings: {${Array.from({ length: 40_000 }, (_, index) => `token${index}: x`).join(', ')}}`,
);

/** A random replacement of one part of a text. */
const mutation = fc.record({
  place: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.constantFrom(0, 1, 5, 200),
  text: fc.oneof(hostileText, fc.constantFrom('\n', ':', '{', '[', '"', "'", '\t', '- ', '&x ', '*x', '|\n', '<<: ')),
});

function mutated(text: string, changes: readonly { place: number; length: number; text: string }[]): string {
  return changes.reduce((before, { place, length, text: inserted }) => {
    const at = Math.floor(place * before.length);
    return before.slice(0, at) + inserted + before.slice(at + length);
  }, text);
}

const file = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(manifest, fc.array(mutation, { maxLength: 2 }))
      .map(([tree, changes]) => mutated(stringify(tree), changes)),
  },
  { weight: 1, arbitrary: rawYaml },
);

const projectFile = fc
  .record({
    manifests: fc.oneof(
      { weight: 6, arbitrary: fc.constant<Json>(['agents/**/*.yaml']) },
      { weight: 2, arbitrary: fc.array(fc.constantFrom(...hostilePatterns), { minLength: 1, maxLength: 3 }) },
      { weight: 1, arbitrary: hostileValue },
    ),
    extra: fc.dictionary(
      fc.constantFrom('lint', 'limits', 'record', 'service', 'defaultEnvironment', 'x'),
      hostileValue,
      { maxKeys: 1 },
    ),
    hostile: fc.option(fc.tuple(fc.constantFrom('baseUrl', 'token', 'query', 'variables'), hostileValue), { freq: 4 }),
    changes: fc.oneof(
      { weight: 5, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(mutation, { maxLength: 1 }) },
    ),
  })
  .map(({ manifests, extra, hostile, changes }) => {
    const variables = { clinic: 'Elm Street', large: 'v'.repeat(300_000) };
    const production = { baseUrl: 'https://service.example.com', token: '${secret.AGENT_TOKEN}', variables };
    const environments = {
      local: { baseUrl: 'emulator', variables },
      production: hostile === null ? production : { ...production, [hostile[0]]: hostile[1] },
    };
    return mutated(
      stringify({ apiVersion: 'agentform/v1', kind: 'Project', manifests, environments, ...extra }),
      changes,
    );
  });

const project = fc.record({ projectFile, manifests: fc.array(file, { minLength: 1, maxLength: 3 }), base: file });

test(
  'Every project is validated in little time, and its problems have places.',
  async () => {
    await fc.assert(
      fc.asyncProperty(project, async (files) => {
        const root = mkdtempSync(join(tmpdir(), 'agentform-fuzz-'));
        try {
          write(root, 'agentform.yaml', files.projectFile);
          write(root, 'shared/base.yaml', files.base);
          write(root, `agents/${'a'.repeat(60)}`, '');
          for (const [index, text] of files.manifests.entries()) write(root, `agents/${index}.yaml`, text);
          const start = process.cpuUsage();
          const { problems, sourceOf } = await problemsOf(root);
          for (const { at } of problems) {
            expect(at).toMatchObject({
              file: expect.any(String),
              line: expect.any(Number),
              column: expect.any(Number),
            });
          }
          renderProblems(problems, { color: false, sourceOf });
          const { user, system } = process.cpuUsage(start);
          expect(user + system).toBeLessThan(maxTime);
        } finally {
          rmSync(root, { recursive: true, force: true });
        }
      }),
      fuzzing(30),
    );
  },
  fuzzTimeout,
);

interface Found {
  readonly problems: readonly Problem[];
  readonly sourceOf: (file: string) => string | undefined;
}

/** Returns the problems of a project. Rethrows any other error. */
async function problemsOf(root: string): Promise<Found> {
  try {
    const loaded = await loadProject(root);
    return { problems: (await validateProject(loaded, { env: {} })).problems, sourceOf: loaded.sourceOf };
  } catch (error) {
    if (error instanceof ProblemsError) return error;
    throw error;
  }
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
