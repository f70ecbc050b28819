import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mostManifests } from '../../../src/json/packed.ts';
import { addressOf } from '../../../src/kinds/desired.ts';
import { parsePath } from '../../../src/kinds/field-path.ts';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import type { Resolution } from '../../../src/manifest/resolve/resolution.ts';
import { resolveProject } from '../../../src/manifest/resolve/resolve-project.ts';
import { manyManifests } from '../../support/many-manifests.ts';

const few = 60;
const roots: string[] = [];
let alone: Resolution;
let among: Resolution;

beforeAll(async () => {
  alone = await resolvedOf(few);
  among = await resolvedOf(mostManifests + 100);
});
afterAll(() => Promise.all(roots.map((root) => rm(root, { recursive: true }))));

async function resolvedOf(count: number): Promise<Resolution> {
  const root = await manyManifests(count);
  roots.push(root);
  return resolveProject(await loadProject(root, {}), {
    environment: 'production',
    secrets: 'values',
    allowedSecrets: undefined,
    env: { TOKEN: 'token-of-production' },
  });
}

function allOf(resolution: Resolution) {
  const known = new Set(alone.desired.map(addressOf));
  return resolution.desired
    .filter((one) => known.has(addressOf(one)))
    .map((one) => {
      const address = addressOf(one);
      return {
        ...one,
        outline: resolution.outlineOf(address),
        declared: resolution.declaredOf(address),
        content: resolution.contentOf(address),
        origin: resolution.originOf(address, '/settings/title'),
        written: resolution.writtenAt(address, parsePath('settings.description')),
        value: resolution.writtenValueAt(address, parsePath('settings.links')),
        provenance: resolution.provenanceOf(address, parsePath('settings.timezone')),
      };
    });
}

test('manifests come to the same among thousands, whose trees are packed, as among few', () => {
  expect(alone.desired.length).toBeGreaterThan(20);
  expect(allOf(among)).toEqual(allOf(alone));
  // Once more, now that all have been packed.
  expect(allOf(among)).toEqual(allOf(alone));
});

test('Manifests among thousands have the same problems as among few.', () => {
  const files = new Set(alone.problems.map(({ at }) => at?.file));
  expect(among.problems.filter(({ at }) => files.has(at?.file))).toEqual(alone.problems);
});
