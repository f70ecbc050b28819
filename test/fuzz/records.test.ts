import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { apply } from '../../src/commands/apply/apply.ts';
import { renderDriftText } from '../../src/commands/drift/document.ts';
import { drift } from '../../src/commands/drift/drift.ts';
import { explain } from '../../src/commands/explain/explain.ts';
import { plan } from '../../src/commands/plan/plan.ts';
import { listRecords, renameRecord, showRecord } from '../../src/commands/record/record.ts';
import { AgentformError } from '../../src/errors.ts';
import { decisionsOf } from '../../src/plan/decisions.ts';
import { renderPlanMarkdown, renderPlanText } from '../../src/report/plan.ts';
import { processorTime } from '../../src/yaml/values.ts';
import { codePoint } from '../support/code-point.ts';
import { fuzzing, fuzzTimeout } from '../support/fuzz.ts';
import { testHost } from '../support/host.ts';
import { type Workplace, workplace } from '../support/in-process.ts';
import { type IndependentServer, startIndependentServer } from '../support/independent-server.ts';

const env = { AGENT_TOKEN: 'token-1' };
const place = '.agentform/records/test/Agent/front-desk.json';
const manifest = `apiVersion: agentform/v1
kind: Agent
name: front-desk
settings: { title: T, description: D, welcomeMessage: Hi, links: [https://a.example/x] }
skills: [{ slug: calendar, instructions: Offer two times. }]
backgroundAudio: { url: https://cdn.example.com/office.mp3, gain: -6 }
`;
/** The maximum time that a command may take for a damaged record. */
const maxMilliseconds = 10_000;

let server: IndependentServer;
let at: Workplace;
/** The text of a record that an apply wrote. */
let text: string;
/** The ranges of the record's text that contain JSON and can be replaced. */
let pieces: readonly (readonly [start: number, end: number])[];

beforeAll(async () => {
  server = await startIndependentServer();
  const environments = `environments:\n  test: { baseUrl: "${server.baseUrl}", token: "\${secret.AGENT_TOKEN}" }\n`;
  const project = `apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\n${environments}`;
  at = await workplace({ 'agentform.yaml': project, 'agents/front-desk.yaml': manifest }, env);
  await apply(testHost(env), {
    ...common(),
    decisions: decisionsOf({ new: ['all'] }),
    confirm: () => Promise.resolve(true),
    signal: new AbortController().signal,
  });
  text = await at.read(place);
  pieces = [...text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+|true|false|null|\{\}|\[\]/g)].map((match) => [
    match.index,
    match.index + match[0].length,
  ]);
});
afterAll(async () => {
  await Promise.all([at.remove(), server.close()]);
});

/** JSON or almost JSON, to replace a value or a name. */
const json: fc.Arbitrary<string> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
  fc.string({ unit: codePoint, maxLength: 12 }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '"__proto__"',
    '"constructor"',
    '""',
    '1e999',
    '-0',
    '1e-400',
    '{"__proto__":{"x":1}}',
    '"\\u001b[31m"',
  ),
  fc.constantFrom(
    '"settings"',
    '"skills["',
    '"skills[calendar"',
    '"skills[]"',
    '"backgroundAudio.url.x"',
    '"settings..x"',
  ),
  fc.nat(200).map((depth) => `${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`),
  fc.constantFrom('['.repeat(300_000), `${'['.repeat(100_000)}${']'.repeat(100_000)}`, `"${'[.'.repeat(200_000)}"`),
  fc.constantFrom(100_000, 1_000_000).map((length) => `"${'?'.repeat(length)}"`),
);

type Damage = (whole: string) => string;

const exchange: fc.Arbitrary<Damage> = fc.tuple(fc.nat(), json).map(
  ([index, other]): Damage =>
    (whole) => {
      const [start, end] = pieces[index % pieces.length] ?? [0, 0];
      return whole.slice(0, start) + other + whole.slice(end);
    },
);
const cut: fc.Arbitrary<Damage> = fc.nat(5000).map(
  (length): Damage =>
    (whole) =>
      whole.slice(0, length % whole.length),
);
const insertion: fc.Arbitrary<Damage> = fc
  .tuple(
    fc.nat(5000),
    fc.oneof(fc.string({ unit: codePoint, maxLength: 8 }), fc.constantFrom('<<<<<<< HEAD\n', '}', '\0', '\ufeff', ',')),
  )
  .map(
    ([index, what]): Damage =>
      (whole) =>
        whole.slice(0, index % whole.length) + what + whole.slice(index % whole.length),
  );

test(
  'A damaged record ends a command quickly, with one sentence that names it.',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(exchange, exchange, cut, insertion), async (damage) => {
        await at.write(place, damage(text));
        await expectSentences();
      }),
      fuzzing(50),
    );
  },
  fuzzTimeout,
);

test.each<[string, (path: string) => Promise<unknown>]>([
  ['a device', (path) => symlink('/dev/zero', path)],
  ['a link to itself', (path) => symlink('front-desk.json', path)],
  ['a link to the manifest', (path) => symlink(join(at.root, 'agents/front-desk.yaml'), path)],
  ['a folder', (path) => mkdir(path)],
  ['a pipe', async (path) => execFileSync('mkfifo', [path])],
  ['an empty file', (path) => writeFile(path, '')],
  ['a huge file', (path) => writeFile(path, '').then(() => truncate(path, 3 * 2 ** 30))],
  ['bytes that are no text', (path) => writeFile(path, Buffer.from([0xff, 0xfe, 0, 1, 0x80]))],
])('A command ends quickly with one sentence if a record is %s.', async (_, make) => {
  const path = join(at.root, place);
  await rm(path, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true });
  try {
    await make(path);
    expect(await expectSentences()).toBeGreaterThan(0);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
});

/** Runs the commands that read records. Returns how many commands failed with an expected error. */
async function expectSentences(): Promise<number> {
  const host = testHost(env);
  const shown = { color: false, width: 80 };
  const commands: readonly (() => Promise<unknown>)[] = [
    async () => {
      const { plan: made } = await plan(host, common());
      return [renderPlanText(made, shown), renderPlanMarkdown(made)];
    },
    async () => renderDriftText((await drift(host, common())).drift, shown),
    () => explain(host, { project: at.root, concurrency: 1, name: 'front-desk', path: 'settings.title' }),
    () => listRecords(host, { project: at.root, names: [] }),
    () => showRecord(host, { project: at.root, address: 'front-desk' }),
    () => renameRecord(host, { project: at.root, from: 'front-desk', to: 'Organization/other' }),
  ];
  let failures = 0;
  for (const command of commands) {
    const begun = processorTime();
    const error = await command().then(
      () => undefined,
      (caught: unknown) => caught,
    );
    expect(processorTime() - begun).toBeLessThan(maxMilliseconds);
    if (error === undefined || isExpected(error)) continue;
    failures += 1;
    if (!(error instanceof AgentformError)) throw error;
    expect(error.code).toMatch(/^record-/);
    expect(error.message).toContain('front-desk.json');
    expect(error.message.length).toBeLessThan(2000);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for.
    expect(error.message).not.toMatch(/[\u0000-\u001f]/);
  }
  return failures;
}

/** A rename to another kind is refused if the record is readable. */
function isExpected(error: unknown): boolean {
  return error instanceof AgentformError && error.code === 'usage';
}

function common() {
  return { project: at.root, names: [], concurrency: 1 };
}
