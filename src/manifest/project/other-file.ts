import type { Policy } from '../../policy/policy.ts';
import type { ProjectTest } from '../../testing/project-test.ts';
import type { Problem } from '../../yaml/problem.ts';
import type { SourceFile } from '../../yaml/source-file.ts';
import { type MapNode, textOf } from '../../yaml/tree.ts';
import type { ValueChecks } from '../../yaml/values.ts';
import type { OtherKind } from '../check/authored.ts';

/** What came of a file that is no resource, where nothing is wrong with it. */
export interface Sound {
  readonly policy?: Policy;
  readonly test?: ProjectTest;
}

/** A file under `manifests` that is no resource. */
export interface OtherFile {
  readonly kind: OtherKind;
  readonly root: MapNode;
  readonly name?: string;
  /** Absent if it has problems. */
  readonly sound?: Sound;
}

export interface OtherInput {
  readonly root: MapNode;
  readonly source: SourceFile;
  /** Names that agentform.yaml has. */
  readonly environments: readonly string[];
  readonly checks: ValueChecks;
}

type Check = (input: OtherInput) => Promise<Sound & { readonly problems: readonly Problem[] }>;

/** How a file of each kind is checked; what that takes is loaded when there is such a file. */
const checks: Readonly<Record<OtherKind, Check>> = {
  async Fleet({ root, environments }) {
    return { problems: (await import('../check/fleet.ts')).fleetProblems(root, environments) };
  },
  async Policy(input) {
    return (await import('../../policy/policy-file.ts')).checkPolicyFile(input);
  },
  async Test(input) {
    return (await import('../../testing/test-file.ts')).checkTestFile(input);
  },
};

/** Checks a file that is no resource; `found` is what is wrong with it already. */
export async function otherFile(
  kind: OtherKind,
  input: OtherInput,
  found: readonly Problem[],
): Promise<{ readonly other: OtherFile; readonly problems: readonly Problem[] }> {
  const { problems: own, ...sound } = await checks[kind](input);
  const name = textOf(input.root, 'name');
  const problems = [...found, ...own];
  const other = {
    kind,
    root: input.root,
    ...(name !== undefined && { name }),
    ...(problems.length === 0 && { sound }),
  };
  return { other, problems };
}
