import { depthOf, fieldAt, parsePath } from '../../kinds/field-path.ts';
import { isKindName } from '../../kinds/kind.ts';
import { shorten } from '../../text/wording.ts';
import type { ValueWords } from './value-words.ts';

/** What people who do not know the API call a setting, and what its values mean. */
export interface SettingName extends ValueWords {
  readonly title: string;
}

/** The name of the setting at a path of a plan, such as `skills[calendar].instructions`; undefined if the schema has none. */
export function settingName(kind: string, path: string): SettingName | undefined {
  if (!isKindName(kind)) return undefined;
  const steps = parsePath(path);
  const field = fieldAt(kind, steps);
  if (field === undefined) return undefined;
  const into = steps.slice(depthOf(field));
  const key = field.shape === 'map' ? into.shift() : undefined;
  const member = field.members?.find(({ name }) => name === into[0]);
  const element = key === undefined ? field.title : `${field.title} ${shorten(key, 60)}`;
  if (into.length === 0) return { title: element, unit: field.unit, form: field.form, values: field.values };
  return member === undefined
    ? undefined
    : { title: `${element}: ${member.title}`, form: member.form, values: member.values };
}
