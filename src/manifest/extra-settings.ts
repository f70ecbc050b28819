import { fieldsByKind, type KindName } from '../schemas/fields.ts';
import { kindRules } from './kind-rules.ts';
import { validatorsOf } from './kind-validators.ts';
import type { Problem } from './problem.ts';
import { hasErrors } from './problem-list.ts';
import { ResourceView } from './resource-view.ts';
import { type MapNode, type Member, mapNode, type Node, toJson } from './tree.ts';
import type { ValueChecks } from './value-checks.ts';

/** Warns of extra settings that a section declares too, or could declare. */
export async function extraSettingWarnings(
  kind: KindName,
  resource: ResourceView,
  checks: ValueChecks,
): Promise<Problem[]> {
  const members = [...(resource.extraSettings()?.members ?? [])];
  const warnings = members.map(([name, member]) => warningsAbout({ kind, resource, name, member, checks }));
  return (await Promise.all(warnings)).flat();
}

interface ExtraSetting {
  readonly kind: KindName;
  readonly resource: ResourceView;
  readonly name: string;
  readonly member: Member;
  readonly checks: ValueChecks;
}

async function warningsAbout({ kind, resource, name, member, checks }: ExtraSetting): Promise<Problem[]> {
  const field = fieldsByKind[kind].find((candidate) => candidate.name === name);
  if (field === undefined) return [];
  const declared = resource.declared(name);
  if (declared !== undefined) {
    const message = `extraSettings.${name} is sent instead of ${declared.path}, and is not validated`;
    const also = { message: 'not sent', at: declared.at };
    return [{ severity: 'warning', rule: 'extra-setting-shadows', message, at: member.key, also }];
  }
  const path = field.isSection ? [name] : [field.section, name];
  if (!fitsSchema(kind, path, member.value) || !(await passes(kind, { path, member, checks }))) return [];
  const place = field.isSection ? 'at the top level' : `under ${field.section}`;
  const message = `extraSettings.${name} can be declared ${place}, where it is validated`;
  return [{ severity: 'warning', rule: 'extra-setting-known', message, at: member.key }];
}

function fitsSchema(kind: KindName, [section = '', name]: readonly string[], value: Node): boolean {
  const json = toJson(value);
  const { resolved } = validatorsOf(kind);
  const resource = { apiVersion: 'agentform/v1', kind, [section]: name === undefined ? json : { [name]: json } };
  if (resolved(resource)) return true;
  const place = name === undefined ? `/${section}` : `/${section}/${name}`;
  return !(resolved.errors ?? []).some(
    ({ instancePath }) => instancePath === place || instancePath.startsWith(`${place}/`),
  );
}

/** Whether the value, declared where it belongs, is one that the checks beyond the schema let pass. */
async function passes(
  kind: KindName,
  { path, member, checks }: { readonly path: readonly string[] } & Pick<ExtraSetting, 'member' | 'checks'>,
): Promise<boolean> {
  const at = member.value.at;
  const root = [...path]
    .reverse()
    .reduce<Member>((inner, name) => ({ ...member, value: mapNode(at, [[name, inner]]) }), member);
  if (root.value.type !== 'map') return true;
  const view = new ResourceView(kind, root.value);
  const found = await Promise.all(kindRules[kind].checks.map((check) => check(view, checks)));
  return !hasErrors(found.flat());
}

/** The sections without the settings that extraSettings has too: they are not sent. */
export function withoutShadowed(kind: KindName, sections: MapNode, resource: ResourceView): MapNode {
  const extra = resource.extraSettings()?.members ?? new Map<string, Member>();
  const members = [...sections.members].flatMap(([section, member]) => {
    if (section === 'extraSettings' || member.value.type !== 'map' || !isSpread(kind, section)) {
      return section !== 'extraSettings' && extra.has(section) ? [] : [[section, member] as const];
    }
    const kept = [...member.value.members].filter(([name]) => !extra.has(name));
    return [[section, { ...member, value: { ...member.value, members: new Map(kept) } }] as const];
  });
  return { ...sections, members: new Map(members) };
}

function isSpread(kind: KindName, section: string): boolean {
  return fieldsByKind[kind].some((field) => field.section === section && !field.isSection);
}
