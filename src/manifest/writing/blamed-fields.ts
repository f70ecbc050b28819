import { isJsonObject } from '../../kinds/json.ts';
import { pathOf } from '../../kinds/request-body.ts';
import { fieldsByKind } from '../../schemas/fields.ts';
import { nodeAt } from '../pointer.ts';
import type { Problem, Span } from '../problem.ts';
import type { MapNode, Member } from '../tree.ts';
import type { ManifestDraft, WrittenManifest } from './write-manifest.ts';

interface Blame {
  readonly draft: ManifestDraft;
  readonly written: WrittenManifest;
  /** Undefined if the manifest that was written cannot be parsed: then what is not validated is to blame. */
  readonly root: MapNode | undefined;
}

/** Names of the settings that the problems are about, by the place of each. */
export function blamedFields(problems: readonly Problem[], { draft, written, root }: Blame): string[] {
  if (root === undefined) return extraNames(draft);
  const places = placesOf(draft, root);
  return problems.flatMap(({ at }) => {
    if (at === undefined) return [];
    const name = written.fieldOfFile.get(at.file) ?? places.find(({ member }) => isWithin(at, member))?.name;
    return name === undefined ? [] : [name];
  });
}

interface Place {
  readonly name: string;
  readonly member: Member;
}

function placesOf(draft: ManifestDraft, root: MapNode): Place[] {
  const own = fieldsByKind[draft.kind].flatMap((field) => placeAt(root, pathOf(field)));
  return [...own, ...extraNames(draft).flatMap((name) => placeAt(root, ['extraSettings', name]))];
}

function extraNames({ sections: { extraSettings } }: ManifestDraft): string[] {
  return isJsonObject(extraSettings) ? Object.keys(extraSettings) : [];
}

function placeAt(root: MapNode, path: readonly string[]): Place[] {
  const name = path.at(-1) ?? '';
  const parent = nodeAt(root, path.slice(0, -1));
  const member = parent?.type === 'map' ? parent.members.get(name) : undefined;
  return member === undefined ? [] : [{ name, member }];
}

function isWithin(at: Span, { key, value }: Member): boolean {
  return at.file === key.file && at.offset >= key.offset && at.offset < Math.max(value.at.end, key.end);
}
