import type { JsonObject } from '../../kinds/json.ts';
import { type FieldSchema, fieldsByKind, type KindName } from '../../schemas/fields.ts';
import { valueIn } from './declared-sections.ts';

const width = 116;

/** What a manifest cannot tell because the service does not show it, and what to do: lines of one comment. */
export function unreadableComment(
  kind: KindName,
  { sections, unshown }: { readonly sections: JsonObject; readonly unshown: ReadonlySet<string> },
): string[] {
  const missing = fieldsByKind[kind].filter(
    (field) => (!field.readable || unshown.has(field.name)) && valueIn(sections, field) === undefined,
  );
  if (missing.length === 0) return [];
  const sectionNames = [...new Set(missing.map(({ section }) => section))];
  return [
    ...wrap(
      'The service does not show these settings, so they are not declared here and keep the values they have. ' +
        'Declare those that matter with the values you want: from then on they are managed like all others.',
    ),
    ...sectionNames.flatMap((name) =>
      wrap(
        groupText(
          name,
          missing.filter(({ section }) => section === name),
        ),
        '  ',
      ),
    ),
  ];
}

function groupText(section: string, fields: readonly FieldSchema[]): string {
  return fields.some(({ isSection }) => isSection)
    ? section
    : `${section}: ${fields.map(({ name }) => name).join(', ')}`;
}

function wrap(text: string, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + word.length >= width) {
      lines.push(indent + line);
      line = lines.length > 0 && indent !== '' ? `  ${word}` : word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, indent + line];
}
