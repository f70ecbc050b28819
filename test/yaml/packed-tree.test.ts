import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { packTree, unpackTree } from '../../src/yaml/packed-tree.ts';
import { parseYaml } from '../../src/yaml/parse-yaml.ts';
import { SourceFile } from '../../src/yaml/source-file.ts';
import type { MapNode } from '../../src/yaml/tree.ts';
import { fuzzing } from '../support/fuzz.ts';
import { nastyText } from '../support/nasty-agents.ts';

function treeOf(text: string, path = 'agents/desk.yaml'): MapNode {
  const { root } = parseYaml(new SourceFile(path, text));
  if (root?.type !== 'map') throw new Error(`no map: ${text}`);
  return root;
}

test('a tree comes back as it was', () => {
  const value = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(nastyText, fc.jsonValue()), { minKeys: 1 });
  fc.assert(
    fc.property(value, (json) => {
      const tree = treeOf(JSON.stringify(json));
      const packed = packTree(tree);
      if (packed !== undefined) expect(unpackTree(packed, 'agents/desk.yaml')).toEqual(tree);
      else expect(JSON.stringify(json)).toMatch(/-0/);
    }),
    fuzzing(200),
  );
});

test('what JSON cannot hold is not packed', () => {
  expect(packTree(treeOf('small: -0\nendless: .inf\n'))).toBeUndefined();
});

test('none of ours is refused', () => {
  for (const text of ['[]', '["m",1,1,0,1]', '["s",1,1,0,1,"a",null]', '["x"]', '{']) {
    expect(() => unpackTree(text, 'a.yaml')).toThrow();
  }
});
