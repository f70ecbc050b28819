import { fieldsByKind, type KindName } from '../schemas/fields.ts';
import { validatorsOf } from './kind-validators.ts';
import type { Problem } from './problem.ts';
import type { ResourceView } from './resource-view.ts';
import { type MapNode, type Member, type Node, toJson } from './tree.ts';

/** Warns of extra settings that a section declares too, or could declare. */
export function extraSettingWarnings(kind: KindName, resource: ResourceView): Problem[] {
  return [...(resource.extraSettings()?.members ?? [])].flatMap(([name, member]) =>
    warningsAbout({ kind, resource, name, member }),
  );
}

interface ExtraSetting {
  readonly kind: KindName;
  readonly resource: ResourceView;
  readonly name: string;
  readonly member: Member;
}

function warningsAbout({ kind, resource, name, member }: ExtraSetting): Problem[] {
  const field = fieldsByKind[kind].find((candidate) => candidate.name === name);
  if (field === undefined) return [];
  const declared = resource.declared(name);
  if (declared !== undefined) {
    const message = `extraSettings.${name} is sent instead of ${declared.path}, and is not validated`;
    const also = { message: 'not sent', at: declared.at };
    return [{ severity: 'warning', rule: 'extra-setting-shadows', message, at: member.key, also }];
  }
  if (!fitsSchema(kind, field.isSection ? [name] : [field.section, name], member.value)) return [];
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
