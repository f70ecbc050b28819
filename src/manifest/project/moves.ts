import { isName } from '../../json/check.ts';
import { addressOf } from '../../kinds/desired.ts';
import { kindNames } from '../../kinds/kind.ts';
import { nearest } from '../../text/suggest.ts';
import { joinWithOr, quote } from '../../text/wording.ts';
import { suggested } from '../../yaml/fix.ts';
import { errorAt, type Problem, type Span } from '../../yaml/problem.ts';
import { type MapNode, memberOf, textsIn } from '../../yaml/tree.ts';

// This file reads declarations that affect records: former names, removed resources, and `onlyIn`.

/** A former name of a manifest, with the location that declares it. */
export interface FormerName {
  readonly name: string;
  readonly at: Span;
}

export function placeOfName({ root }: { readonly root: MapNode }): Span {
  return memberOf(root, 'name')?.at ?? root.at;
}

interface NamedManifest {
  readonly kind: string;
  readonly name: string;
  /** The location of the name. */
  readonly at: Span;
  readonly renamedFrom: readonly FormerName[];
}

/** Reads the former names of a manifest. Skips invalid names, because the schema reports them. */
export function formerNamesIn(root: MapNode): FormerName[] {
  return textsIn(memberOf(root, 'renamedFrom'))
    .filter(({ value }) => isName(value))
    .map(({ value, at }) => ({ name: value, at }));
}

/** The environments in `onlyIn`. Undefined if the file has no `onlyIn`. */
export function environmentsOf(root: MapNode): string[] | undefined {
  const node = memberOf(root, 'onlyIn');
  return node === undefined ? undefined : textsIn(node).map(({ value }) => value);
}

/** Reads the addresses under `removed` in agentform.yaml. */
export function removedIn(tree: MapNode): FormerName[] {
  return textsIn(memberOf(tree, 'removed')).map(({ value, at }) => ({ name: value, at }));
}

/** Reports addresses under `removed` whose kind does not exist. */
export function removedProblems(tree: MapNode): Problem[] {
  return removedIn(tree).flatMap(({ name, at }) => {
    const [kind = '', ...rest] = name.split('/');
    if (rest.length !== 1 || kindNames.some((known) => known === kind)) return [];
    const message = `removed lists ${quote(name)}, but there is no kind ${quote(kind)}: expected ${joinWithOr(kindNames.map(quote))}`;
    const meant = nearest(kind, kindNames);
    const suggestion = meant === undefined ? {} : suggested({ at, found: name }, [meant, ...rest].join('/'));
    return [{ ...errorAt(at, 'kind', message), ...suggestion }];
  });
}

/**
 * Reports former names that are in use or occur twice. Also reports addresses under `removed` that a manifest declares
 * or has as a former name. Each problem shows both locations. Ignores `onlyIn`, so that every environment reports the
 * same problems.
 */
export function moveProblems(
  { tree }: { readonly tree: MapNode },
  manifests: readonly NamedManifest[],
  manifestAt: (address: string) => NamedManifest | undefined,
): Problem[] {
  const renamed = new Map<string, { readonly to: NamedManifest; readonly at: Span }>();
  const renames = manifests.flatMap((manifest) =>
    manifest.renamedFrom.flatMap(({ name, at }): Problem[] => {
      const old = addressOf({ kind: manifest.kind, name });
      const present = manifestAt(old);
      if (present !== undefined) {
        const message = `renamedFrom is ${quote(name)}, but a manifest still declares ${addressOf(present)}; delete that manifest, or delete this line`;
        return [{ ...errorAt(at, 'renamed-from', message), also: { message: 'the manifest', at: present.at } }];
      }
      const first = renamed.get(old);
      if (first === undefined) renamed.set(old, { to: manifest, at });
      // If a name occurs twice in the same list, the schema already reports it.
      if (first === undefined || first.to === manifest) return [];
      const message = `${addressOf(first.to)} and ${addressOf(manifest)} are both renamed from ${old}, which has only one record; keep one of the two lines`;
      return [{ ...errorAt(at, 'renamed-from', message), also: { message: 'first here', at: first.at } }];
    }),
  );
  const removals = removedIn(tree).flatMap(({ name, at }): Problem[] => {
    const present = manifestAt(name);
    if (present !== undefined) {
      const message = `removed lists ${name}, but a manifest declares it; delete the manifest, or delete this line`;
      return [{ ...errorAt(at, 'removed', message), also: { message: 'the manifest', at: present.at } }];
    }
    const rename = renamed.get(name);
    if (rename === undefined) return [];
    const message = `removed lists ${name}, but ${addressOf(rename.to)} was renamed from it; keep one of the two lines`;
    return [{ ...errorAt(at, 'removed', message), also: { message: 'the rename', at: rename.at } }];
  });
  return [...renames, ...removals];
}
