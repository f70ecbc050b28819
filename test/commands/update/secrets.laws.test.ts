import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { apply } from '../../../src/commands/apply/apply.ts';
import { renderDriftText } from '../../../src/commands/drift/document.ts';
import { drift } from '../../../src/commands/drift/drift.ts';
import { update } from '../../../src/commands/update/update.ts';
import { decisionsOf } from '../../../src/plan/decisions.ts';
import { sentenceOf } from '../../../src/report/notices.ts';
import { testHost } from '../../support/host.ts';
import { type Remote, startRemote } from '../../support/remote.ts';

let remote: Remote;
let root: string;

beforeAll(async () => {
  remote = await startRemote();
  root = await mkdtemp(join(tmpdir(), 'agentform-secrets-'));
});
afterAll(async () => {
  await remote.close();
  await rm(root, { recursive: true, force: true });
});

const head = 'apiVersion: agentform/v1\n';
const withSecret = '# Door\n\nKnock.\n\nCode: ${secret.CODE}\n\nBe quick.';
const withoutSecret = withSecret.replace('${secret.CODE}', 'ask');

/** Values with lines that no other text contains. The second value replaces the first. */
const codes = fc.constantFrom(
  { old: 'open-sesame-4711', now: 'open-sesame-4711' },
  { old: 'open-sesame-4711', now: 'close-sesame-0815' },
  { old: 'first-line-of-key\nsecond-line-of-key', now: 'first-line-of-key\nsecond-line-of-key' },
  { old: 'first-line-of-key\r\nsecond-line-of-key', now: 'third-line-of-key\nfourth-line-of-key' },
);

/** Edits of the applied lines: some are removed, some edited, and one may be moved. */
const edits = fc.record({
  gone: fc.uniqueArray(fc.nat(8), { maxLength: 3 }),
  edited: fc.uniqueArray(fc.nat(8), { maxLength: 3 }),
  from: fc.nat(8),
  to: fc.nat(8),
});

function liveText(
  applied: string,
  { gone, edited, from, to }: { gone: number[]; edited: number[]; from: number; to: number },
) {
  const lines = applied.split('\n').map((line, index) => (edited.includes(index) ? `${line}, please` : line));
  lines.splice(to, 0, ...lines.splice(from, 1));
  return lines.filter((_, index) => !gone.includes(index)).join('\n');
}

let runs = 0;

async function newProject(texts: Readonly<Record<string, string>>): Promise<string> {
  runs += 1;
  const folder = join(root, String(runs));
  const environment = `{ baseUrl: "${remote.baseUrl}", token: "\${secret.AGENT_TOKEN}" }`;
  const files = {
    'agentform.yaml': `${head}kind: Project\nmanifests: ["agents/*.yaml"]\nenvironments: { test: ${environment} }\n`,
    'agents/desk.yaml': `${head}kind: Agent\nname: desk\nsettings:\n  title: T\n  description: d\n  adminInstructions: { file: ../door.md }\n`,
    ...texts,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

test('No line of a secret is ever written or shown, even if it was rotated, moved or has several lines.', async () => {
  let refusals = 0;
  await fc.assert(
    fc.asyncProperty(codes, edits, fc.constantFrom(withSecret, withoutSecret), async (code, edit, latter) => {
      const project = await newProject({ 'door.md': `${withSecret}\n` });
      const hostWith = (CODE: string) => testHost({ AGENT_TOKEN: `secret-token-${runs}`, CODE });
      const options = { project, names: ['desk'], concurrency: 4 };
      const applying = {
        ...options,
        decisions: decisionsOf({ new: ['all'] }),
        signal: new AbortController().signal,
        confirm: async () => true,
      };
      const { ledger } = await apply(hostWith(code.old), applying);
      const live = liveText(withSecret.replace('${secret.CODE}', code.old), edit);
      await remote.dashboard(ledger.entries[0]?.id ?? '', { adminInstructions: live });
      await writeFile(join(project, 'door.md'), `${latter}\n`);
      const host = hostWith(code.now);
      const updating = {
        ...options,
        fields: [],
        favoured: 'theirs',
        dryRun: false,
        confirm: async () => true,
      } as const;
      const result = await update(host, updating);
      const found = await drift(host, options);
      const shown =
        JSON.stringify([result, found.drift, found.plan]) + renderDriftText(found.drift, { color: false, width: 200 });
      const door = await readFile(join(project, 'door.md'), 'utf8');
      for (const line of `${code.old}\n${code.now}`.split(/\r?\n/)) expect(shown + door).not.toContain(line);
      expect(door).toBe(`${latter}\n`);
      for (const { reason } of result.resources.flatMap(({ refused }) => refused)) {
        expect(sentenceOf(reason)).toMatch(/^it contains a secret; edit it in door\.md:[1-9]\d*$/);
        refusals += 1;
      }
    }),
    { numRuns: 30 },
  );
  expect(refusals).toBeGreaterThan(10);
});
