import type { Problem } from './problem.ts';
import { errorAt } from './problem-list.ts';
import type { SourceFile } from './source-file.ts';
import { type MapNode, memberOf, type Node, textOf } from './tree.ts';
import { quote } from './wording.ts';

/** What is wrong with the `record` of agentform.yaml beyond its schema. */
export function recordProblems(tree: MapNode, source: SourceFile): Problem[] {
  const record = memberOf(tree, 'record');
  const remote = record && memberOf(record, 'remote');
  return [
    ...(record === undefined ? [] : unusedProblems(record)),
    ...(remote === undefined ? [] : checkRemote(remote, source)),
  ];
}

function unusedProblems(record: Node): Problem[] {
  const store = textOf(record, 'store');
  if (store !== 'file') return [];
  return ['branch', 'remote'].flatMap((name) => {
    const node = memberOf(record, name);
    const message = `record.${name} goes with the store 'git', and record.store is ${quote(store)}: change the store, or leave it out`;
    return node === undefined ? [] : [errorAt(node.at, 'record-store', message)];
  });
}

/** Over HTTP even a name alone may be a token; over SSH it is only a name. */
function checkRemote(remote: Node, source: SourceFile): Problem[] {
  const text = remote.type === 'scalar' ? String(remote.value) : '';
  if (!/^https?:\/\/[^/@]*@|:\/\/[^/@:]*:[^/@]*@/i.test(text)) return [];
  source.hide(remote.at);
  const message = 'record.remote holds credentials: leave them out, and let git take them from its credential helper';
  return [{ ...errorAt(remote.at, 'record-store', message), hideSource: true }];
}
