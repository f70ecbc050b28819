import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Plan } from '../../src/schemas/plan-types.ts';
import { exampleProject, type TestProject } from '../support/cli.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

let project: TestProject;

/** Uses the reseller in the examples, with a sensitive value in every kind. */
beforeEach(async () => {
  project = await exampleProject('reseller', { CODE: 'code-1' });
  await project.edit('organizations/acme.yaml', 'accountName: Acme', 'accountName: ${secret.CODE}');
  await project.edit('members/dispatcher.yaml', 'dispatch@', '${secret.CODE}@');
  await project.edit('agents/front-desk.yaml', /description: /, 'description: ${secret.CODE} ');
  await project.edit('urls/demo.yaml', 'slug: try-it', 'slug: "${secret.CODE}"');
  await project.edit('contexts/regular.yaml', 'context: Calls', 'context: ${secret.CODE}. Calls');
  expect(await project.run('apply', '--yes')).toMatchObject({ code: 0 });
});
afterEach(() => project.remove());

async function planned(): Promise<Plan> {
  const { stdout } = await project.run('plan', '--format', 'json');
  return JSON.parse(stdout);
}

/** On the embedded emulator, a new key has the same effect as a new token on a service. */
test('After a rotation, replacing kinds are resent once, adding kinds count as applied, and no record keeps the old key.', async () => {
  await rm(join(project.root, '.agentform', 'emulator.key'));
  const plan = await planned();
  expect(Object.fromEntries(plan.resources.map(({ kind, name, action }) => [`${kind}/${name}`, action]))).toEqual({
    'Organization/acme': 'none',
    'Member/bookkeeper': 'none',
    'Member/dispatcher': 'none',
    'Agent/demo': 'none',
    'Agent/front-desk': 'update',
    'AgentUrl/demo': 'update',
    'PhoneNumber/front-desk': 'none',
    'Context/landlord': 'none',
    'Context/regular': 'none',
  });
  const { stdout } = await project.run('plan');
  const text = stdout.replaceAll(/\s+/g, ' ');
  expect(text).toMatch(
    /\(settings\.description\) cannot be compared\. They are sent again\. The last apply used another token/,
  );
  expect(text).toMatch(
    /\(settings\.accountName\) cannot be compared\. They count as unchanged\. The last apply used another token/,
  );
  const explained = async (...args: string[]) => (await project.run('explain', ...args)).stdout.replaceAll(/\s+/g, ' ');
  expect(await explained('Agent/front-desk', 'settings.description')).toMatch(/different token.* An apply sets it/);
  expect(await explained('Organization/acme', 'settings.accountName')).toMatch(
    /different token.* The manifest is assumed to be applied/,
  );
  const before = await project.recordTexts();
  expect(await project.run('apply', '--yes')).toMatchObject({ code: 0 });
  expect((await planned()).summary).toMatchObject({ create: 0, update: 0, blocked: 0 });
  expect(await project.run('plan')).toMatchObject({ stdout: expect.not.stringMatching(/(different|another) token/) });
  const [old] = /hmac:[\w-]+:/.exec(before.join()) ?? [];
  expect((await project.recordTexts()).join()).not.toContain(old ?? 'hmac:');
});
