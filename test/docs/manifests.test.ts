import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { shareProcess } from '../support/shared-process.ts';
import { blocksOf } from '../support/shell.ts';

shareProcess();

const page = readFileSync(resolve(import.meta.dirname, '../../docs/manifests.md'), 'utf8');
const [manifest = '', base = '', patched = '', own = '', tokens = '', target = '', labels = '', extra = ''] = blocksOf(
  page,
  'yaml',
);
const [patch = ''] = blocksOf(page, 'diff');

let project: TestProject;

/** Creates the complete manifest on the page, and further manifests that contain the page's other examples. */
beforeAll(async () => {
  const other = (name: string, rest: string) => `apiVersion: agentform/v1
kind: Agent
name: ${name}
settings: { title: Desk, description: Answers. }
${rest}`;
  project = await testProject({
    'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
environments:
  staging: { baseUrl: emulator, variables: { clinic: Elm Street } }
  production: { baseUrl: emulator, variables: { clinic: Oak Street } }
`,
    'agents/front-desk.yaml': manifest,
    'shared/clinic.yaml': base,
    'agents/night-desk.yaml': other('night-desk', `${target}${labels}onlyIn: [production]\n`),
    'agents/oak-street.yaml': other('oak-street', `${own}${tokens}`),
    'shared/dentist.yaml':
      'apiVersion: agentform/v1\nkind: Agent\nsettings: { agentInstructions: { file: dentist.md } }\n',
    'shared/dentist.md': `${'Rule.\n'.repeat(11)}Offer two times.\nSay goodbye.\n`,
    'agents/elm-street.yaml': `apiVersion: agentform/v1\nkind: Agent\nname: elm-street\n${patched}  title: T\n  description: d\n`,
    'agents/elm-street.agent-instructions.patch': patch,
    'agents/web-chat.yaml': other('web-chat', `target: { query: { targetAccountId: "3" } }\n${extra}`),
    'prompts/front-desk.md': 'Write $${var.clinic} for ${var.clinic}, and $5 for five dollars.\n',
  });
});
afterAll(() => project.remove());

test('The examples in docs/manifests.md are valid in every environment.', async () => {
  expect(await project.run('validate')).toMatchObject({ code: 0 });
});

test.each([
  ['settings.agentVoice', 'test-1', 'the overlay wins over the base'],
  ['settings.agentLang', 'en-US', 'a base gives what the manifest does not have'],
  ['settings.title', 'Front desk of Elm Street', 'a variable comes from the environment'],
  ['settings.agentInstructions', 'Write ${var.clinic} for Elm Street, and $5 for five dollars.', '$${ is a literal ${'],
])('The example sets %s to %j because %s.', async (path, wanted) => {
  const { stdout } = await project.run('explain', 'front-desk', path, '-e', 'staging', '--format', 'json');
  expect(stdout).toContain(JSON.stringify(wanted).slice(0, -1));
});
