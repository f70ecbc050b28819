import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { namesMeant, requireMatches, selector } from '../../src/session/selection.ts';
import { agent, makeFolder, projectFile } from '../manifest/temp-project.ts';
import { processorMs } from '../support/processor.ts';

test.each([
  ['front-desk', 'Agent/front-desk', true],
  ['front', 'Agent/front-desk', false],
  ['Agent/front-*', 'Agent/front-desk', true],
  ['*', 'Agent/front-desk', true],
  ['*-desk', 'Agent/front-desk', true],
  ['f*t-*sk', 'Agent/front-desk', true],
  ['f*t-*s', 'Agent/front-desk', false],
  ['front?desk', 'Agent/front-desk', true],
  ['front??desk', 'Agent/front-desk', false],
  ['front.desk', 'Agent/front-desk', false],
  ['Member/*', 'Agent/front-desk', false],
])('The selection %s includes %s: %p', (name, address, isSelected) => {
  expect(selector({ names: [name] })(address)).toBe(isSelected);
});

test('A selection with many stars takes no longer than one with few.', () => {
  const started = processorMs();
  expect(selector({ names: [`${'*a'.repeat(30)}b`] })(`Agent/${'a'.repeat(63)}`)).toBe(false);
  expect(processorMs() - started).toBeLessThan(1_000);
});

describe('labels and exclusions', () => {
  const isSelected = selector({ names: ['*-desk'], selector: 'ring=canary', exclude: ['Agent/night-*'] });

  test('A resource must meet every part of a selection.', () => {
    expect(isSelected('Agent/front-desk', { ring: 'canary' })).toBe(true);
    expect(isSelected('Agent/front-desk', { ring: 'late' })).toBe(false);
    expect(isSelected('Agent/night-desk', { ring: 'canary' })).toBe(false);
    expect(isSelected('Agent/office', { ring: 'canary' })).toBe(false);
  });

  test('A resource without a manifest is never selected by labels.', () => {
    expect(selector({ names: [], selector: 'ring!=canary' })('Agent/gone')).toBe(false);
    expect(selector({ names: [], exclude: ['x'] })('Agent/gone')).toBe(true);
  });

  const selectable = {
    environment: 'local',
    all: [{ kind: 'Agent', name: 'front-desk', labels: { ring: 'canary' } }],
    elsewhere: [],
    removed: [],
  };
  test.each([
    [{ names: [], selector: 'ring=late' }, 'no resource has labels that match ring=late'],
    [
      { names: ['front-desk'], selector: '!ring' },
      'none of the resources that match front-desk has labels that match !ring',
    ],
    [{ names: [], exclude: ['fornt-desk'] }, 'there is nothing to exclude: no resource matches fornt-desk'],
    [{ names: [], exclude: ['*'] }, 'no resource remains after --exclude'],
    [{ names: ['x'] }, 'no resource matches x; the project has Agent/front-desk'],
    [{ names: [''] }, "no resource matches ''; the project has Agent/front-desk"],
  ])('The selection %p is refused because it matches nothing.', (selection, sentence) => {
    expect(() => requireMatches(selection, selectable)).toThrow(sentence);
  });

  test('A selection that matches a resource is accepted.', () => {
    expect(() => requireMatches({ names: [], selector: 'ring' }, selectable)).not.toThrow();
    expect(() => selector({ names: [], selector: 'ring in x' })).toThrow("has 'x' at character 9 of 'ring in x'");
  });
});

describe('the path of a file as a name', () => {
  const head = 'apiVersion: agentform/v1\n';
  const files = {
    'agentform.yaml': projectFile,
    'agents/a.yaml': agent(''),
    'agents/fleet.yaml': `${head}kind: Fleet\nname: f\ntemplates: [../t.yaml]\nmembers: [{ name: elm }]\n`,
    'agents/policy.yaml': `${head}kind: Policy\nname: p\nrules: [{ deny: "true", message: m }]\n`,
    'shared/base.yaml': `${head}kind: Agent\nsettings: { title: T }\n`,
  };

  test('The path of a manifest means its resource.', async () => {
    const root = makeFolder(files);
    expect(await namesMeant([`b,${join(root, 'agents/a.yaml')}`], root)).toEqual(['b', 'Agent/desk']);
  });

  test.each([
    ['agents/fleet.yaml', 'is a Fleet; select resources by name or with -l'],
    ['agents/policy.yaml', 'is a Policy; select resources by name or with -l'],
    [
      'shared/base.yaml',
      'does not declare a resource; to select the resources that use the file, run with `--changed-since`',
    ],
    ['agentform.yaml', 'is the project file; to select all resources, give no names'],
  ])('The path %s is refused, because it declares no resource.', async (path, why) => {
    const root = makeFolder(files);
    await expect(namesMeant([join(root, path)], root)).rejects.toThrow(why);
  });
});
