import { fieldAt, parsePath } from '../kinds/path.ts';
import { fieldsByKind, type KindName } from '../schemas/fields.ts';

/** Each path once, in the order of the schema, which is that of the documentation, and by path within a list. */
export function inSchemaOrder<Placed extends { readonly path: string }>(
  kind: KindName,
  placed: readonly Placed[],
): Placed[] {
  const fields = fieldsByKind[kind];
  const rank = ({ path }: Placed) => {
    const field = fieldAt(kind, parsePath(path));
    return field === undefined ? fields.length : fields.indexOf(field);
  };
  return [...new Map(placed.map((each) => [each.path, each])).values()].sort(
    (a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1),
  );
}
