import { describe, expect, test } from '@jest/globals';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import { secretUses } from '../../../src/manifest/resolve/validate-project.ts';
import { problemSentence } from '../../../src/report/problems/sentence.ts';
import { agent, type Files, makeFolder, projectFile, resolve, show } from '../temp-project.ts';

const tokens = JSON.stringify({ a: 'token-of-a', b: 'token-of-b' });
const production = { environment: 'production', env: { TOKENS: tokens } } as const;
const project = projectFile.replace('${secret.AGENT_TOKEN}', '${secret.TOKENS[var.client]}');
const of = (name: string, client = name, settings = '') => agent(settings, `variables: { client: ${client} }`, name);
const files: Files = { 'agentform.yaml': project, 'agents/a.yaml': of('a'), 'agents/b.yaml': of('b') };

describe('entries of a secret', () => {
  test('An entry of a secret is a separate secret for each manifest that selects one by a variable.', async () => {
    const { desired, problems, secretNames, secrets, all } = await resolve(files, production);
    expect(problems).toEqual([]);
    expect(desired.map(({ target }) => [target.tokenName, target.token.reveal()])).toEqual([
      ['TOKENS[a]', 'token-of-a'],
      ['TOKENS[b]', 'token-of-b'],
    ]);
    expect([...secretNames]).toEqual(['TOKENS[a]', 'TOKENS[b]']);
    expect(secrets.map((secret) => secret.reveal()).sort()).toEqual(['token-of-a', 'token-of-b', tokens].sort());
    expect(all.map(({ token }) => token)).toEqual(['${secret.TOKENS[a]}', '${secret.TOKENS[b]}']);
  });

  test('An entry of a secret may be named, in any text.', async () => {
    const text = of('a', 'a', 'welcomeMessage: key ${secret.TOKENS[b]} of ${secret.TOKENS[var.client]}');
    const { desired, shownValuesOf } = await resolve({ ...files, 'agents/a.yaml': text }, production);
    expect(desired[0]?.sections.settings).toMatchObject({ welcomeMessage: 'key token-of-b of token-of-a' });
    expect(shownValuesOf('Agent/a')?.settings).toMatchObject({
      welcomeMessage: 'key ${secret.TOKENS[b]} of ${secret.TOKENS[a]}',
    });
  });

  test('A missing entry of a secret is reported at its reference.', async () => {
    const { problems } = await resolve({ ...files, 'agents/b.yaml': of('b', 'elm-street') }, production);
    expect(problems.map(show)).toEqual([
      "agentform.yaml:11:12 the secret 'TOKENS[elm-street]' has no value: TOKENS[elm-street] is not set",
    ]);
    expect(problems).toMatchObject([{ secret: 'TOKENS[elm-street]' }]);
  });

  test.each([
    ['a client that is no name', of('a', 'x y'), /would use the entry 'x y': expected letters, digits and -_.@:\+/],
    ['a client that looks like a variable', of('a', 'var.b'), /would use the entry 'var.b'/],
    ['no client', agent('', '', 'a'), /the variable 'client' has no value/],
    ['no entry', of('a', 'a', 'welcomeMessage: ${secret.TOKENS[]}'), /'\$\{secret.TOKENS\[\]\}' is not a reference/],
    [
      'an entry of a variable',
      of('a', 'a', 'welcomeMessage: ${var.client[a]}'),
      /'\$\{var.client\[a\]\}' is not a reference/,
    ],
  ])('An entry of a secret is a problem with %s.', async (_case, text, sentence) => {
    const { problems } = await resolve({ ...files, 'agents/a.yaml': text }, production);
    expect(problems.map(show).join('\n')).toMatch(sentence);
  });

  test('An entry of a secret is allowed with its object, or alone.', async () => {
    const allowed = (name: string) => ({ ...production, allowedSecrets: { names: new Set([name]), from: 'the test' } });
    expect((await resolve(files, allowed('TOKENS'))).problems).toEqual([]);
    expect((await resolve(files, allowed('TOKENS[a]'))).problems.map(problemSentence)).toEqual([
      expect.stringContaining("the secret 'TOKENS[b]' is not allowed, because the test allows only 'TOKENS[a]'"),
    ]);
  });

  test('Each entry of a secret is bound to its own host.', async () => {
    const uses = await secretUses(await loadProject(makeFolder(files)), { environment: 'production', env: {} });
    expect([uses.host, [...uses.secrets]]).toEqual(['service.example.com', ['TOKENS[a]', 'TOKENS[b]']]);
  });
});

test('A member without its entry is reported once at its row, for all resources with its token.', async () => {
  const head = 'apiVersion: agentform/v1\n';
  const fleet = `${head}kind: Fleet\nname: f\ntemplates: [../a.yaml, ../n.yaml]\nmembers: { file: ../c.csv }\n`;
  const { problems } = await resolve(
    {
      'agentform.yaml': projectFile.replace('${secret.AGENT_TOKEN}', '${secret.TOKENS[var.name]}'),
      'agents/f.yaml': fleet,
      'a.yaml': `${head}kind: Agent\nsettings: { title: t, description: d }\n`,
      'n.yaml': `${head}kind: PhoneNumber\nagent: \${var.name}\nsettings: { number: "\${var.phone}" }\n`,
      'c.csv': 'name,phone\na,+14155550101\nc,+14155550102\n',
    },
    production,
  );
  expect(problems.map(show)).toEqual([
    "c.csv:3:1 the secret 'TOKENS[c]' has no value: TOKENS[c] is not set [used here agentform.yaml:11:12]",
  ]);
});

test('A file with secrets inside the project is refused before any read.', async () => {
  const root = makeFolder({ ...files, 'secrets.json': '{}' });
  await expect(loadProject(root, { env: { AGENTFORM_SECRETS_FILE: `${root}/secrets.json` } })).rejects.toThrow(
    'AGENTFORM_SECRETS_FILE names a file inside the project; move it out of the project folder',
  );
});
