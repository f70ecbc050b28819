import { canonicalJson, grouped, isJsonObject, type Json, type JsonObject } from '../../../json/json.ts';
import { comparable } from '../../../kinds/compare.ts';
import { valueIn } from '../../../kinds/definition.ts';
import type { Desired, Target } from '../../../kinds/desired.ts';
import { fieldAt, settingPath } from '../../../kinds/field-path.ts';
import { type Project, pendingProject } from '../../../manifest/project/project.ts';
import { desiredOfAll, type Resolution } from '../../../manifest/resolve/resolution.ts';
import { resolveProject } from '../../../manifest/resolve/resolve-project.ts';
import { type FieldSchema, fieldsByKind, type KindName } from '../../../schemas/fields.ts';
import { wrapProse } from '../../../text/layout.ts';
import type { Problem } from '../../../yaml/problem.ts';
import { type MapNode, namesAround } from '../../../yaml/tree.ts';
import type { SecretSource } from '../request.ts';
import {
  declaredSections,
  type LiteralText,
  type ManifestDraft,
  type ManifestTexts,
  sectionsOfFields,
  writeManifest,
} from './write-manifest.ts';

interface FitInput extends Pick<ManifestDraft, 'name' | 'variables' | 'path' | 'target' | 'overlay'> {
  readonly kind: KindName;
  readonly project: Project;
  readonly environment: string;
  readonly host: SecretSource;
  /** Converts the live agent to sections. Puts the settings in `extraKeys` under `extraSettings`. */
  readonly live: (extraKeys: readonly string[]) => { readonly sections: JsonObject };
  /** Values for write-only settings, declared in addition to the live values. */
  readonly given: JsonObject;
  /** Readable fields whose live value has an invalid form. */
  readonly unshown: ReadonlySet<string>;
  /** Readable fields whose live value may contain a key or a token. The manifest leaves out these fields. */
  readonly withCredential: ReadonlySet<string>;
  readonly text: LiteralText;
}

/** A manifest that was validated by the code that will read it. */
export interface FittedManifest extends ManifestTexts {
  readonly desired: Desired<Target>;
  /** The secrets in the manifest's values, including tokens. */
  readonly secrets: Resolution['secrets'];
  /** Settings that were moved to `extraSettings`, because their section cannot express their values. */
  readonly extra: readonly string[];
  /** Settings that were left out, because no manifest can express their values. */
  readonly leftOut: readonly string[];
  /** Warnings about characters in live texts that a service may reject or lose. */
  readonly characters: readonly Problem[];
}

type FitResult =
  | { readonly fitted: FittedManifest }
  | { readonly project: Project; readonly problems: readonly Problem[] };

/**
 * Makes a valid manifest for an agent. Moves settings with an invalid value to `extraSettings`, whose values are not
 * validated. Leaves out settings that `extraSettings` cannot express either.
 */
export async function fitManifest(input: FitInput): Promise<FitResult> {
  const extra = new Set<string>();
  const leftOut = new Set<string>();
  for (;;) {
    const draft = draftOf(input, { extra, leftOut });
    const texts = writeManifest(draft);
    const pending = pendingProject(input.project, input.path, texts.files);
    const { environment, host } = input;
    const { env, allowedSecrets } = host;
    const resolution = await resolveProject(pending, { environment, secrets: 'values', env, allowedSecrets });
    const [desired] = desiredOfAll(resolution);
    const { resource } = await pending.parsed.load(input.path);
    const errors = resolution.problems.filter(({ severity }) => severity === 'error');
    const blamed = new Set([
      ...blamedFields(errors, { draft, texts, root: resource?.root }),
      ...exposingFields(draft, input.text),
      ...alteredFields(draft, desired),
    ]);
    if (blamed.size === 0 && desired !== undefined) {
      const characters = resolution.problems.filter(({ rule }) => rule === 'text-character');
      const names = { extra: [...extra], leftOut: [...leftOut] };
      return { fitted: { ...texts, desired, secrets: resolution.secrets, ...names, characters } };
    }
    if (!demote(blamed, { extra, leftOut })) {
      return { project: pending, problems: errors.length > 0 ? errors : [unwritable(blamed)] };
    }
  }
}

/** Returns the error for settings whose text no manifest can express, such as a text with `$` before a secret. */
function unwritable(names: ReadonlySet<string>): Problem {
  const message = `no manifest can express the text of ${[...names].join(', ')}`;
  return { severity: 'error', rule: 'text-unwritable', message };
}

interface Demoted {
  readonly extra: Set<string>;
  readonly leftOut: Set<string>;
}

/**
 * Moves the fields that cause problems: first to `extraSettings`, and if they still cause problems, out of the
 * manifest. Returns false if nothing moved. Each field moves at most twice, so the loop in `fitManifest` ends.
 */
function demote(blamed: ReadonlySet<string>, { extra, leftOut }: Demoted): boolean {
  const movable = [...blamed].filter((name) => !leftOut.has(name));
  for (const name of movable) {
    if (extra.delete(name)) leftOut.add(name);
    else extra.add(name);
  }
  return movable.length > 0;
}

function draftOf(input: FitInput, { extra, leftOut }: Demoted): ManifestDraft {
  const { kind, given, unshown, withCredential } = input;
  const live = input.live([...extra]).sections;
  const declared = declaredSections(kind, live, new Set([...extra, ...leftOut, ...withCredential]));
  const sections = sectionsOfFields(kind, (field) => valueIn(given, field) ?? valueIn(declared, field));
  const extraSettings = isJsonObject(live.extraSettings) ? live.extraSettings : {};
  const hasExtra = Object.keys(extraSettings).length > 0;
  const comments = new Map([
    ['environments', unreadableComment(kind, { sections, unshown: new Set([...unshown, ...leftOut]) })],
    ['extraSettings', ['These live values do not pass validation, and are sent unchanged.']],
  ]);
  return {
    ...input,
    sections: hasExtra ? { ...sections, extraSettings } : sections,
    comments,
    write: input.text.write,
  };
}

/** Finds the fields that contain a secret in a form that no reference can replace. */
function exposingFields(draft: ManifestDraft, text: LiteralText): string[] {
  return namedValues(draft).flatMap(([name, value]) => (text.exposes(text.write(JSON.stringify(value))) ? [name] : []));
}

/** Finds the fields whose values differ after the files are read back. */
function alteredFields(draft: ManifestDraft, desired: Desired<Target> | undefined): string[] {
  if (desired === undefined) return [];
  const back = new Map(namedValues({ ...draft, sections: desired.sections }));
  const isSame = (value: Json, found: Json | undefined) => found !== undefined && sameTexts(value) === sameTexts(found);
  return namedValues(draft).flatMap(([name, value]) => (isSame(value, back.get(name)) ? [] : [name]));
}

/** Converts a value to a text that is the same for all values that the comparison rules consider equal. */
function sameTexts(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(sameTexts).join()}]`;
  if (!isJsonObject(value)) return comparable(value, undefined);
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${sameTexts(member)}`)
    .join()}}`;
}

function namedValues({ kind, sections }: Pick<ManifestDraft, 'kind' | 'sections'>): Array<readonly [string, Json]> {
  const { extraSettings } = sections;
  const own = fieldsByKind[kind].flatMap((field): Array<readonly [string, Json]> => {
    const value = valueIn(sections, field);
    return value === undefined ? [] : [[field.name, value]];
  });
  return [...own, ...(isJsonObject(extraSettings) ? Object.entries(extraSettings) : [])];
}

interface Blame {
  readonly draft: ManifestDraft;
  readonly texts: ManifestTexts;
  /** The parsed manifest, or undefined if an unvalidated value makes the YAML invalid. */
  readonly root: MapNode | undefined;
}

/**
 * Finds the settings that cause the problems. If the file cannot be parsed, returns all extra settings. If there are no
 * extra settings, the only possible cause is too many values, so the largest setting is returned.
 */
function blamedFields(problems: readonly Problem[], { draft, texts, root }: Blame): string[] {
  if (root === undefined) return extraNames(draft).length > 0 ? extraNames(draft) : [largestName(draft)];
  return problems.flatMap(({ at }) => {
    const names = at?.file === draft.path ? namesAround(root, at.offset) : [];
    return texts.fieldOfFile.get(at?.file ?? '') ?? fieldAt(draft.kind, settingPath(draft.kind, names))?.name ?? [];
  });
}

function largestName(draft: ManifestDraft): string {
  const [first, ...others] = namedValues(draft).map(([name, value]) => ({ name, size: canonicalJson(value).length }));
  return others.reduce((largest, one) => (one.size > (largest?.size ?? 0) ? one : largest), first)?.name ?? '';
}

function extraNames({ sections: { extraSettings } }: ManifestDraft): string[] {
  return isJsonObject(extraSettings) ? Object.keys(extraSettings) : [];
}

const width = 116;

/** Returns the comment in a manifest about the settings that the service does not return. */
function unreadableComment(
  kind: KindName,
  { sections, unshown }: { readonly sections: JsonObject; readonly unshown: ReadonlySet<string> },
): string[] {
  const missing = fieldsByKind[kind].filter(
    (field) => (!field.readable || unshown.has(field.name)) && valueIn(sections, field) === undefined,
  );
  if (missing.length === 0) return [];
  const introduction =
    'The service does not return these settings, so they are not declared here and keep their values. ' +
    'To manage one of them, declare it with the value you want.';
  const groups = [...grouped(missing, ({ section }) => section)].map(([name, fields]) => groupText(name, fields));
  return [
    ...wrapProse(introduction, { width, indent: 0 }),
    ...groups.flatMap((text) => wrapProse(text, { width, indent: 2, hanging: 2 })),
  ];
}

function groupText(section: string, fields: readonly FieldSchema[]): string {
  return fields.some(({ isSection }) => isSection)
    ? section
    : `${section}: ${fields.map(({ name }) => name).join(', ')}`;
}
