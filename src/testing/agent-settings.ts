import type { Json } from '../json/json.ts';
import type { Desired } from '../kinds/desired.ts';
import {
  type FieldPath,
  fieldAt,
  formatPath,
  isElement,
  isMapField,
  settingNamed,
  settingPath,
  typedPath,
} from '../kinds/field-path.ts';
import { schemaAt } from '../kinds/kind.ts';
import { type Leaf, leavesOf } from '../kinds/leaves.ts';
import { PathMap } from '../kinds/path-map.ts';
import { fieldsByKind } from '../schemas/fields.ts';
import type { CaseDoubt } from '../schemas/notices-types.ts';
import { nearest } from '../text/suggest.ts';

/** The error for a case whose outcome cannot be determined. */
export class CaseError extends Error {
  readonly doubt: CaseDoubt;

  constructor(doubt: CaseDoubt) {
    super(doubt.why);
    this.doubt = doubt;
  }
}

/** A setting that decides an outcome. */
export interface UsedSetting {
  readonly path: FieldPath;
  readonly value: Json | undefined;
  /** Whether a manifest declares the setting. If false, the value is the documented default. */
  readonly isDeclared: boolean;
}

/**
 * The settings of an Agent for one case, as they would be sent. An undeclared setting has its documented default. Keeps
 * track of the settings that were read, because these settings decide the case.
 */
export class AgentSettings {
  readonly #leaves: PathMap<Leaf>;
  readonly #usedSettings = new Map<string, UsedSetting>();

  constructor({ sections, sensitive }: Pick<Desired, 'sections' | 'sensitive'>) {
    this.#leaves = new PathMap(leavesOf('Agent', sections, sensitive));
  }

  /** The settings that have been read so far, in order. */
  get usedSettings(): readonly UsedSetting[] {
    return [...this.#usedSettings.values()];
  }

  /** The value of a setting by name. Undefined for an undeclared setting without a default. */
  named(name: string): Json | undefined {
    const path = this.#pathNamed(name);
    if (path === undefined) throw new RangeError(`${name} is not a setting`);
    return this.at(path);
  }

  /** The path of a setting. Undefined if no manifest declares the setting. */
  declared(name: string): FieldPath | undefined {
    const path = this.#pathNamed(name);
    return path !== undefined && this.#isDeclared(path) ? path : undefined;
  }

  /** The value at a path, or its default. Throws a CaseError if the path contains several values or a secret. */
  at(path: FieldPath): Json | undefined {
    const found = this.#leaves.get(path);
    const text = formatPath('Agent', path);
    if (found?.sensitive) throw new CaseError({ why: 'secret', setting: text });
    const isOneValue = found !== undefined && !isMapField('Agent', path) && !isElement('Agent', path);
    if (!isOneValue && this.#isDeclared(path)) throw new CaseError({ why: 'several-values', setting: text });
    // The TypeScript type of `default` is `unknown`, but the value comes from a JSON schema, so it is JSON.
    const value = found === undefined ? (schemaAt('Agent', path)?.default as Json | undefined) : found.value;
    this.#usedSettings.set(text, { path, value, isDeclared: found !== undefined });
    return value;
  }

  /**
   * Parses the name of a setting, or a path in the form that plans show. Throws a CaseError if the setting does not
   * exist.
   */
  pathOf(text: string): FieldPath {
    const path = this.#pathNamed(text) ?? settingPath('Agent', typedPath(text) ?? []);
    if (path.length > 0 && (fieldAt('Agent', path) !== undefined || this.#isDeclared(path))) return path;
    const meant = nearest(
      text,
      fieldsByKind.Agent.map(({ name }) => name),
    );
    throw new CaseError({ why: 'setting-unknown', setting: text, ...(meant !== undefined && { meant }) });
  }

  /** Finds a setting by name. Names are unique across all sections, including `extraSettings`. */
  #pathNamed(name: string): FieldPath | undefined {
    const field = settingNamed('Agent', name);
    const extra = ['extraSettings', name];
    return field === undefined && this.#isDeclared(extra) ? extra : field?.path;
  }

  #isDeclared(path: FieldPath): boolean {
    return this.#leaves.within(path).length > 0;
  }
}
