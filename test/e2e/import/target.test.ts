import { symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { server, useIndependentServer } from '../../support/independent-suite.ts';
import { shareProcess } from '../../support/shared-process.ts';
import { imported, onlyDescription, pendingPaths, project, seed } from './imports.ts';

shareProcess();

useIndependentServer();

describe('the target of an imported agent', () => {
  test('An import writes the target into the overlay of its environment.', async () => {
    const id = seed();
    const made = await project({ environments: '  local: { baseUrl: emulator }\n' });
    expect(await imported(made, id)).toMatchObject({ code: 0 });
    expect(await made.read('agents/front-desk.yaml')).toContain(
      `environments:\n  test:\n    target:\n      agentId: ${id}\n`,
    );
    expect(await pendingPaths(made)).toEqual(onlyDescription);
    expect(await made.run('plan', '-e', 'local')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 to create'),
    });
  });

  test('A new environment on the same host does not adopt the imported agent.', async () => {
    const id = seed();
    const made = await project();
    expect(await imported(made, id)).toMatchObject({ code: 0 });
    await made.edit('agentform.yaml', /^ {2}test: (.*)$/m, '  test: $1\n  staging: $1');
    expect(await made.run('plan', '-e', 'staging')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('0 to update, 0 to create, 1 left out without an answer'),
    });
    expect(await made.run('validate')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('the same query on 127.0.0.1'),
    });
  });

  test('An import declares and uses a separate token and query.', async () => {
    const id = seed({}, 'own-token-1', '17');
    const made = await project({}, { FRONT_DESK: 'own-token-1' });
    expect(await imported(made, id, '--token-secret', 'FRONT_DESK', '--query', 'targetAccountId=17')).toMatchObject({
      code: 0,
    });
    expect(await made.read('agents/front-desk.yaml')).toContain(
      `    target:\n      agentId: ${id}\n      token: \${secret.FRONT_DESK}\n      query:\n        targetAccountId: "17"\n`,
    );
  });

  test('An import in an environment without a token needs --token-secret, and names an unset secret.', async () => {
    const id = seed();
    const made = await project({ environments: `  bare: { baseUrl: "${server.baseUrl}" }\n` });
    expect(await imported(made, id, '-e', 'bare')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--token-secret NAME'),
    });
    expect(await imported(made, id, '--token-secret', 'NOT_SET')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('NOT_SET is unset'),
    });
    expect(server.takeLog()).toEqual([]);
  });

  test('A token that is too short is refused, without a place in the manifest that was not written.', async () => {
    const made = await project({}, { NIGHT: 'abc' });
    const result = await imported(made, seed(), '--token-secret', 'NIGHT');
    expect(result).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: the token in the process variable NIGHT is too short: .* \(usage\)/),
    });
  });

  test('A live agent that cannot be the wanted one is refused with a remedy that needs no manifest.', async () => {
    const [made, id] = [await project(), seed({ type: 'voiceAgent' })];
    expect(await imported(made, id)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Its type is "voiceAgent"; use the id and the token of a chat agent'),
    });
  });

  test('An import writes the manifest where the project reads manifests.', async () => {
    const id = seed();
    const made = await project({ manifests: '["desks/**/*.agent.yaml"]' });
    expect(await imported(made, id, '--path', 'agents/front-desk.yaml')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('`manifests` in agentform.yaml is desks/**/*.agent.yaml'),
    });
    expect(server.takeLog()).toEqual([]);
    expect(await imported(made, id)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('desks/front-desk.agent.yaml'),
    });
  });

  test('An imported manifest names a copy of the schema, which the import writes if it is missing.', async () => {
    const [made, id] = [await project(), seed()];
    expect(await imported(made, id)).toMatchObject({ code: 0 });
    const copy = '.agentform/schemas/manifest.schema.json';
    expect(await made.read('agents/front-desk.yaml')).toMatch(`# yaml-language-server: $schema=../${copy}\n`);
    expect(JSON.parse(await made.read(copy))).toMatchObject({ $id: 'urn:agentform:v1:manifest' });
    await made.write(copy, '{}');
    expect(await imported(made, id, '--force')).toMatchObject({ code: 0 });
    expect(await made.read(copy)).toBe('{}');
  });

  test('A schema that cannot be written is reported after a successful import.', async () => {
    const made = await project({ '.agentform/.keep': '' });
    await symlink(tmpdir(), join(made.root, '.agentform/schemas'));
    expect(await imported(made, seed())).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('.agentform/schemas/manifest.schema.json would be outside the project folder'),
    });
    expect(await made.run('plan')).toMatchObject({ code: 0 });
  });
});
