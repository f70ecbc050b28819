import { AgentformError } from '../../errors.ts';
import { type FieldPath, fieldAt, formatPath, isWithin, typedPath } from '../../kinds/field-path.ts';
import { settingFacts } from '../../report/values.ts';
import { type FieldSchema, fieldsByKind, type KindName, type MemberSchema } from '../../schemas/fields.ts';
import { wrapProse } from '../../text/layout.ts';
import { didYouMean } from '../../text/suggest.ts';

export interface KindExplanation {
  readonly kind: KindName;
  readonly settings: readonly ExplainedSetting[];
}

interface ExplainedSetting
  extends Pick<FieldSchema, 'title' | 'description' | 'types' | 'choices' | 'required' | 'readable'> {
  /** The path, as in a plan. For a property of list elements, the path contains no key: `skills[].instructions`. */
  readonly path: string;
  readonly default?: unknown;
  /** Facts about the setting in words. */
  readonly facts: readonly string[];
}

/** Explains the settings of a kind, or those at a path. Throws `field-unknown` for an unknown path. */
export function explainKind(kind: KindName, path: string | undefined): KindExplanation {
  const within = path === undefined ? [] : typedPath(path);
  const isAt = (field: FieldSchema, path: FieldPath) =>
    isWithin(field.path, path) || fieldAt(kind, path) === field || field.name === path.join('.');
  const chosen = fieldsByKind[kind].filter((field) => within !== undefined && isAt(field, within));
  if (chosen.length === 0) {
    const hint = didYouMean(
      path ?? '',
      fieldsByKind[kind].map((field) => formatPath(kind, field.path)),
    );
    throw new AgentformError('field-unknown', `${kind} has no setting ${JSON.stringify(path)}${hint}`);
  }
  return { kind, settings: chosen.flatMap((field) => explainedSettings(kind, field)) };
}

function explainedSettings(kind: KindName, field: FieldSchema): ExplainedSetting[] {
  const path = formatPath(kind, field.path);
  const members = (field.members ?? []).map((member) =>
    explained(`${path}${field.shape === 'map' ? '[]' : ''}.${member.name}`, member, field),
  );
  return [explained(path, field, field), ...members];
}

function explained(path: string, described: FieldSchema | MemberSchema, field: FieldSchema): ExplainedSetting {
  const { title, description, types, choices, required, default: usual } = described;
  return {
    path,
    title,
    description,
    types,
    ...(choices !== undefined && { choices }),
    required,
    readable: field.readable,
    ...(usual !== undefined && { default: usual }),
    facts: settingFacts(described, field),
  };
}

export function renderKindText({ kind, settings }: KindExplanation, { width }: { readonly width: number }): string {
  const blocks = settings.map(({ path, title, description, facts }) =>
    [
      `${path}  ${title}`,
      ...wrapProse(facts.join(', '), { width, indent: 4 }),
      ...wrapProse(description, { width, indent: 4 }),
    ].join('\n'),
  );
  return `${kind}\n\n${blocks.join('\n\n')}\n`;
}
