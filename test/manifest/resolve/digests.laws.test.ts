import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { resolveProject } from '../../../src/manifest/resolve/resolve-project.ts';
import { type Files, makeProject } from '../temp-project.ts';

/** Texts in the project, each declared in one place. Every digest covers some of these texts. */
interface Said {
  readonly title: string;
  readonly text: string;
  readonly overlay: string;
  readonly variable: string;
  readonly own: string;
  /** A text beside a secret in one value. */
  readonly note: string;
  readonly row: string;
  readonly secret: string;
  readonly baseUrl: string;
  readonly fileOfRow: string;
}

const first: Said = {
  title: 'Desk',
  text: 'Answer for ${var.clinic}.',
  overlay: 'en-US',
  variable: 'Ash',
  own: 'nine',
  note: 'daily',
  row: 'Acme',
  secret: 'hunter22',
  baseUrl: 'https://a.example',
  fileOfRow: 'Own words.',
};

/** Two members of a fleet in two environments. Only the environment `live` has an overlay. */
function files(said: Said, other = 'Bolt'): Files {
  return {
    'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
environments:
  live: { baseUrl: "${said.baseUrl}", token: "\${secret.TOKEN}", variables: { clinic: ${said.variable} } }
  test: { baseUrl: "https://t.example", token: "\${secret.TOKEN}", variables: { clinic: Elm } }
`,
    'agents/fleet.yaml':
      'apiVersion: agentform/v1\nkind: Fleet\nname: f\ntemplates: [../t.yaml]\nmembers: { file: ../all.csv }\n',
    'all.csv': `name,brand,account\none,${said.row},1\ntwo,${other},2\n`,
    't.yaml': `apiVersion: agentform/v1
kind: Agent
target: { query: { targetAccountId: "\${var.account}" } }
variables: { hours: ${said.own}, note: ${said.note} }
settings:
  title: ${said.title} \${var.brand} \${var.hours}
  description: "\${secret.CODE} \${var.note}"
  agentInstructions: { file: texts/all.md }
  publicInstructions: { file: "texts/\${var.brand}.md" }
environments:
  live: { settings: { agentLang: ${said.overlay} } }
`,
    'texts/all.md': said.text,
    [`texts/${said.row}.md`]: said.fileOfRow,
    [`texts/${other}.md`]: 'Others.',
    'texts/Elm.md': '',
  };
}

async function digests(said: Said, { environment = 'live', name = 'one' } = {}) {
  const project = await makeProject(files(said));
  const env = { CODE: said.secret, TOKEN: 'tok-123456' };
  const { declaredOf, contentOf, problems } = await resolveProject(project, {
    environment,
    secrets: 'values',
    allowedSecrets: undefined,
    env,
  });
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const address = `Agent/${name}`;
  const content = contentOf(address);
  return { declared: declaredOf(address)?.digest, content: content?.digest, revision: content?.revision };
}

/** The digests that must change, by the part that changes. */
const changes: [keyof Said, fc.Arbitrary<string>, readonly ('declared' | 'content' | 'revision')[]][] = [
  ['title', fc.stringMatching(/^[A-Z][a-z]{2,8}$/), ['declared', 'content', 'revision']],
  ['text', fc.stringMatching(/^[A-Z][a-z ]{2,20}[a-z]$/), ['declared', 'content', 'revision']],
  ['overlay', fc.constantFrom('es-ES', 'es-MX'), ['declared', 'revision']],
  ['variable', fc.stringMatching(/^[A-Z][a-z]{3,8}$/), ['declared']],
  ['own', fc.stringMatching(/^[a-z]{5,8}$/), ['declared', 'content']],
  ['note', fc.stringMatching(/^[a-z]{6,8}$/), ['declared', 'content']],
  ['row', fc.stringMatching(/^[A-Z][a-z]{5,8}$/), ['declared', 'content']],
  ['fileOfRow', fc.stringMatching(/^[A-Z][a-z ]{2,20}[a-z]$/), ['declared', 'content']],
  ['baseUrl', fc.webUrl({ validSchemes: ['https'] }).map((url) => new URL(url).origin), ['declared']],
  ['secret', fc.stringMatching(/^[a-z]{9,12}$/), []],
];

describe('laws of digests', () => {
  test.each(changes)(
    'A change of %s changes the expected digests, whatever the new value is.',
    async (part, value, expected) => {
      const before = await digests(first);
      expect(Object.values(before)).toEqual(Array(3).fill(expect.stringMatching(/^sha256:[0-9a-f]{64}$/)));
      await fc.assert(
        fc.asyncProperty(value, async (other) => {
          fc.pre(other !== first[part]);
          const after = await digests({ ...first, [part]: other });
          const names = ['declared', 'content', 'revision'] as const;
          expect(names.filter((name) => before[name] !== after[name])).toEqual(expected);
        }),
        { numRuns: 6 },
      );
    },
  );

  test('Members of a fleet share the revision, and no other digest.', async () => {
    const [one, two] = [await digests(first), await digests(first, { name: 'two' })];
    expect(one.revision).toBe(two.revision);
    expect(one.declared).not.toBe(two.declared);
    expect(one.content).not.toBe(two.content);
  });

  test('Environments share the content, and no other digest.', async () => {
    const [live, other] = [await digests(first), await digests(first, { environment: 'test' })];
    expect(live.content).toBe(other.content);
    expect(live.declared).not.toBe(other.declared);
    expect(live.revision).not.toBe(other.revision);
  });
});
