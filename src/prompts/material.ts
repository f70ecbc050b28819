import { fieldAt, textRoleAt } from '../kinds/field-path.ts';
import type { KindName, TextRole } from '../schemas/fields.ts';
import { mayHoldKey } from '../secrets/credentials.ts';
import { variableNamesIn } from '../yaml/interpolate.ts';
import type { Span } from '../yaml/problem.ts';
import { type SourceFile, type SpanFinder, spanFinderInYaml } from '../yaml/source-file.ts';
import { type MapNode, memberOf, type Node, type ScalarAt, type ScalarNode, scalarsOf, textOf } from '../yaml/tree.ts';
import { type Contact, contactsIn } from './checks/contacts.ts';
import { findInvisible } from './checks/markdown.ts';
import { slotsInSetting } from './checks/slots.ts';
import type { Finding } from './prompt-text.ts';
import { sourceTextOf, spanFinderOf } from './span-finder.ts';

/** The value of a variable, and the location where the variable is declared. */
interface PutIn {
  readonly text: string;
  readonly at?: Span;
}

/** A resource whose texts are checked. */
export interface CheckedResource {
  readonly kind: KindName;
  /** The sections after resolution. */
  readonly tree: MapNode;
  readonly variable: (name: string) => PutIn | undefined;
  /** Returns the file with the given path if it was read. */
  readonly source: (file: string) => SourceFile | undefined;
  /** Checks whether the target of a file reference exists. `from` is the file that contains the reference. */
  readonly hasFile: (from: string, reference: string) => boolean;
  /** The nodes for which findings are reported. Defaults to all nodes. Other nodes are used only in comparisons. */
  readonly only?: ReadonlySet<Node>;
}

/** A text, a short setting, or the value of a variable in one of them. */
export interface Place {
  /** The node of the text. For the value of a variable, this is the node into which the value is inserted. */
  readonly node: ScalarNode;
  /** The path of the text in the sections. */
  readonly steps: readonly string[];
  /** The name of the variable, if the text is the value of a variable. */
  readonly name?: string;
  /** Whether to report findings in the text. If false, the text is used only in comparisons. */
  readonly isTold: boolean;
  readonly spanOf: SpanFinder;
}

export interface MaterialText extends Place {
  readonly role: TextRole;
  readonly sourceText: string;
}

/** The texts to check in a resource. */
export interface Material {
  readonly texts: readonly MaterialText[];
  /** The values of variables. Each value occurs once for each role of the texts that use it. */
  readonly values: readonly MaterialText[];
  readonly settings: readonly ShortSetting[];
}

/** A setting other than a long text, such as a voice or title, or the value of a variable in such a setting. */
export interface ShortSetting extends Place {
  readonly contacts: readonly Contact[];
  readonly findings: readonly Finding[];
  /** The value as written, if it must be searched for credentials. */
  readonly suspect?: string | undefined;
}

/**
 * Collects the texts to check, including short settings if requested. Skips blank texts. Keeps references to secrets
 * instead of inserting their values.
 */
export function materialOf(resource: CheckedResource, withSettings: boolean): Material {
  const { kind, tree, source, only } = resource;
  const texts: MaterialText[] = [];
  const others: ScalarAt[] = [];
  for (const [steps, node] of scalarsOf(tree)) {
    if (typeof node.value !== 'string') continue;
    const role = textRoleAt(kind, steps);
    const sourceText = role === undefined ? '' : sourceTextOf(node);
    if (role === undefined) others.push([steps, node]);
    else if (sourceText.trim() !== '') {
      const isTold = only?.has(node) ?? true;
      texts.push({ node, steps, role, sourceText, isTold, spanOf: spanFinderOf(node, source) });
    }
  }
  const settings = withSettings ? shortSettingsIn(resource, others) : [];
  if (!texts.some(({ isTold }) => isTold)) return { texts: [], values: [], settings };
  return { texts, values: valuesIn(texts, resource), settings };
}

/**
 * Collects each variable once for each role of the texts that use it. The location of a variable is its declaration or,
 * if the declaration's location is unknown, the text that uses it.
 */
function valuesIn(texts: readonly MaterialText[], { variable, source }: CheckedResource): MaterialText[] {
  const found = new Map<string, MaterialText>();
  for (const { node, steps, role, sourceText: whole, isTold } of texts) {
    if (node.raw === undefined && node.from === undefined && node.patched === undefined) continue;
    for (const name of variableNamesIn(whole)) {
      const { text: sourceText = '', at } = variable(name) ?? {};
      const known = found.get(`${role} ${name}`);
      if (known?.isTold || (known && !isTold) || sourceText.trim().length < 3) continue;
      const spanOf = at === undefined ? () => node.at : spanFinderInYaml(at, sourceText, source);
      found.set(`${role} ${name}`, { node, steps, role, sourceText, name, isTold, spanOf });
    }
  }
  return [...found.values()];
}

/** Collects the short settings that have findings, or contacts to compare with those in texts. */
function shortSettingsIn(
  { kind, variable, source, only }: CheckedResource,
  others: readonly ScalarAt[],
): ShortSetting[] {
  return others.flatMap(([steps, node]): ShortSetting[] => {
    const { value, raw, at, sensitive, opaque } = node;
    if (typeof value !== 'string' || sensitive || value.length > 2_000) return [];
    if (steps[0] === 'extraSettings') return [];
    const isTold = only?.has(node) ?? true;
    const contacts = opaque ? [] : contactsIn(value);
    const sourceText = raw ?? value;
    const isRegex = fieldAt(kind, steps)?.textForm?.endsWith('regex') === true;
    const own = checkSetting(sourceText, isRegex);
    const values = variableNamesIn(sourceText).flatMap((name): ShortSetting[] => {
      const { text = '', at: declared } = variable(name) ?? {};
      const found = checkSetting(text, isRegex);
      const spanOf = declared === undefined ? () => at : spanFinderInYaml(declared, text, source);
      return found === undefined ? [] : [{ node, name, steps, isTold, spanOf, contacts: [], ...found }];
    });
    return contacts.length === 0 && own === undefined
      ? values
      : [{ node, steps, isTold, spanOf: () => at, contacts, findings: [], ...own }, ...values];
  });
}

/**
 * Finds placeholders in a short setting, and its first invisible character or mixed word. Returns undefined if there is
 * nothing to report and no credential to search for.
 */
function checkSetting(text: string, isRegex: boolean): Pick<ShortSetting, 'findings' | 'suspect'> | undefined {
  // In a regex, braces and brackets have a different meaning.
  const findings = [...(isRegex ? [] : slotsInSetting(text)), ...findInvisible(text, isRegex).slice(0, 1)];
  const suspect = !isRegex && mayHoldKey(text) ? text : undefined;
  return findings.length === 0 && suspect === undefined ? undefined : { findings, suspect };
}

export function lengthOf({ value }: ScalarNode): number {
  return typeof value === 'string' ? value.length : 0;
}

export function languageOf(tree: MapNode): string {
  return textOf(memberOf(tree, 'settings'), 'agentLang') ?? '';
}

export function thingsIn(tree: MapNode) {
  return {
    skills: namesIn(memberOf(tree, 'skills'), 'slug'),
    apps: namesIn(memberOf(tree, 'apps'), 'appId'),
    actions: namesIn(memberOf(memberOf(tree, 'settings'), 'actions'), undefined),
  };
}

/** The names in a list. Undefined if any name is unknown. */
function namesIn(list: ReturnType<typeof memberOf>, key: string | undefined): string[] | undefined {
  if (list?.type !== 'list') return [];
  const nodes = list.items.map((item) => (key === undefined ? item : memberOf(item, key)));
  const names = nodes.map((node) => (node?.type === 'scalar' && !node.opaque ? String(node.value) : undefined));
  return names.includes(undefined) ? undefined : names.filter((name) => name !== undefined);
}
