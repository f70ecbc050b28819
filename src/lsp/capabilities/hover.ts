import type { Hover, Position } from 'vscode-languageserver/node';
import { cached, isJsonObject, type Json } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import { type FieldPath, fieldAt, formatPath, memberAt } from '../../kinds/field-path.ts';
import { isKindName } from '../../kinds/kind.ts';
import { csvTable } from '../../manifest/fleet/member-table.ts';
import type { ManifestIdentity, Resolution } from '../../manifest/resolve/resolution.ts';
import type { RecordKey } from '../../record/store.ts';
import { settingFacts } from '../../report/values.ts';
import type { FieldSchema, MemberSchema } from '../../schemas/fields.ts';
import { entryOf } from '../../secrets/secret.ts';
import { utcMinutes } from '../../text/time.ts';
import { counted, listSome, shorten } from '../../text/wording.ts';
import type { Span } from '../../yaml/problem.ts';
import { isLintRule, lintRules } from '../../yaml/rules.ts';
import type { MapNode } from '../../yaml/tree.ts';
import { pageOf } from '../diagnostics.ts';
import type { Mention } from '../mentions.ts';
import { offsetOf, rangeIn } from '../positions.ts';
import { type IndexedFile, resourcesUsing } from '../project-index.ts';
import { mentionAt, type OpenFile, variablesFor } from './navigation.ts';
import { descriptionAt, schemaOf } from './schema.ts';
import { cursorNodeAt, fieldPathAt } from './yaml-path.ts';

/** The maximum number of resources, file lines, characters of a text, and table rows in a hover. */
const limits = { resources: 3, lines: 8, characters: 500, rows: 2 } as const;

export async function hoverAt(file: OpenFile, position: Position): Promise<Hover | null> {
  const { snapshot, path } = file;
  const indexed = snapshot.index.file(path);
  if (indexed === undefined) return null;
  const mention = mentionAt(file, position);
  const text = mention && (await aboutMention(file, mention));
  if (mention !== undefined && text !== undefined) return hover(text, file, mention.at);
  const offset = offsetOf(indexed.source.text, position);
  const root = snapshot.index.rootOf(indexed);
  const cursor = root && cursorNodeAt(root, offset);
  if (root === undefined || cursor === undefined) return null;
  const description = await describeNode(file, indexed, { root, steps: cursor.steps });
  return description === undefined ? null : hover(description, file, cursor.at);
}

function hover(value: string, { snapshot }: OpenFile, at: Span): Hover {
  return { contents: { kind: 'markdown', value }, range: rangeIn(snapshot, at) };
}

async function aboutMention(file: OpenFile, mention: Mention): Promise<string | undefined> {
  if (mention.type === 'variable' || mention.type === 'definition') return aboutVariable(file, mention);
  if (mention.type === 'secret') return aboutSecret(mention.name);
  if (mention.type === 'path') return aboutPath(file, mention);
  if (mention.type === 'environment') {
    const definition = file.snapshot.project.definitions.get(mention.name);
    return definition && `Environment \`${mention.name}\`: ${code(definition.baseUrl)}`;
  }
  return aboutResource(file, mention);
}

async function aboutVariable(file: OpenFile, { name }: { readonly name: string }): Promise<string> {
  const meanings = await variablesFor(file, name);
  const column = await aboutColumn(file, name, meanings.find(({ isColumn }) => isColumn)?.at);
  if (column !== undefined) return column;
  const { snapshot } = file;
  const byEnvironment = new Map<string, Set<string>>();
  for (const { environment, text, at, valueAt } of meanings) {
    const place = valueAt ?? at;
    const from = place === undefined ? `process variable \`AGENTFORM_VAR_${name}\`` : lineText(place);
    cached(byEnvironment, environment, () => new Set()).add(`${code(text ?? '')} (${from})`);
  }
  const lines = [...byEnvironment].map(([environment, values]) => {
    const shown = [...values].slice(0, limits.resources);
    const more = values.size > shown.length ? `, and ${values.size - shown.length} more` : '';
    return `- ${environment}: ${shown.join(', ')}${more}`;
  });
  const missing = snapshot.project.environments.filter((one) => !byEnvironment.has(one));
  const none = missing.length === 0 ? [] : [`- no value in ${missing.join(', ')}`];
  return [`Variable \`${name}\``, '', ...lines, ...none].join('\n');
}

/** Shows the first rows of a table column. */
async function aboutColumn({ snapshot }: OpenFile, name: string, at: Span | undefined): Promise<string | undefined> {
  if (at === undefined) return undefined;
  const table = snapshot.index.file(at.file);
  if (table?.role !== 'table') return undefined;
  const { rows } = csvTable(table.source);
  const shown = rows.slice(0, limits.rows).map((row) => `- ${row.name.value}: ${code(row.variable(name)?.text ?? '')}`);
  const more = rows.length > shown.length ? [`- … ${counted(rows.length - shown.length, 'more row')}`] : [];
  return [`Column \`${name}\` of ${lineText(at)}, ${counted(rows.length, 'row')}`, '', ...shown, ...more].join('\n');
}

function aboutSecret(name: string): string {
  const { of, key: entry } = entryOf(name) ?? { of: name, key: undefined };
  const part = entry === undefined ? '' : `the entry \`${entry}\` in `;
  return `Secret \`${name}\`: ${part}the value of the process variable \`${of}\`. The editor never reads it.`;
}

async function aboutPath(file: OpenFile, mention: Extract<Mention, { type: 'path' }>): Promise<string | undefined> {
  const { snapshot } = file;
  const target = snapshot.index.targetOf(mention);
  const text = target === undefined ? undefined : snapshot.project.sourceOf(target);
  if (target === undefined || text === undefined) return undefined;
  const all = text.split(/\r?\n/);
  const first = all.slice(0, limits.lines).join('\n');
  const isWhole = all.length <= limits.lines && first.length <= limits.characters;
  const shown = first.slice(0, limits.characters);
  const users = [...resourcesUsing(snapshot.index, target, (await snapshot.resolutions()).values())];
  const used = users.length === 0 ? 'nothing' : `${usersText(users)}: ${listSome(users, 5)}`;
  const ticks = ticksAround(shown, 3);
  return [`\`${target}\`, used by ${used}`, '', ticks, `${shown}${isWhole ? '' : '\n…'}`, ticks].join('\n');
}

/** Counts resources: `4 agents` if all are agents, and otherwise `5 resources`. */
export function usersText(addresses: readonly string[]): string {
  const areAgents = addresses.every((address) => address.startsWith('Agent/'));
  return counted(addresses.length, areAgents ? 'agent' : 'resource');
}

async function aboutResource(
  file: OpenFile,
  { kind, name }: { readonly kind: string | undefined; readonly name: string },
): Promise<string | undefined> {
  const found = new Map<string, Map<string, ManifestIdentity>>();
  const resolutions = await file.snapshot.resolutions();
  for (const [environment, { all }] of resolutions) {
    for (const one of all) {
      if (one.name !== name || (kind && one.kind !== kind)) continue;
      cached(found, addressOf(one), () => new Map()).set(environment, one);
    }
  }
  const parts: string[] = [];
  for (const [address, byEnvironment] of found) {
    const lines: string[] = [];
    for (const [environment, one] of byEnvironment) {
      const title = agentTitle(resolutions.get(environment), address);
      const labels = Object.entries(one.labels).map(([key, value]) => `${key}=${value}`);
      const state = await appliedText(file, { environment, kind: one.kind, name: one.name });
      const facts = [...(title === undefined ? [] : [code(title)]), ...labels, state];
      lines.push(`- ${environment}: ${facts.join(', ')}`);
    }
    const [first] = byEnvironment.values();
    parts.push([`${address}, ${first === undefined ? '' : lineText(first.at)}`, '', ...lines].join('\n'));
  }
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

function agentTitle(resolution: Resolution | undefined, address: string): string | undefined {
  const settings = resolution?.shownValuesOf(address)?.settings;
  const title = isJsonObject(settings) ? (settings.title ?? settings.orgName) : undefined;
  return typeof title === 'string' ? title : undefined;
}

async function appliedText({ snapshot }: OpenFile, key: RecordKey): Promise<string> {
  const found = await snapshot.localRecord(key);
  if (found === 'unread') return 'last apply unknown, because the record was not read';
  const { appliedAt, commit, holds } = found.record ?? {};
  if (found.record === undefined || appliedAt === undefined) return 'never applied';
  const from = commit === undefined ? '' : ` from ${commit.slice(0, 7)}`;
  return `last applied ${utcMinutes(appliedAt) ?? appliedAt}${from}${holds?.freeze === undefined ? '' : ', on hold'}`;
}

async function describeNode(
  file: OpenFile,
  { role, kind = '' }: IndexedFile,
  { root, steps }: { readonly root: MapNode; readonly steps: readonly string[] },
): Promise<string | undefined> {
  if (role === 'project' && steps[0] === 'lint' && steps.length === 2) return aboutRule(steps[1] ?? '');
  if (isKindName(kind)) {
    const path = fieldPathAt(kind, root, steps);
    const field = path && fieldAt(kind, path);
    if (path !== undefined && field !== undefined) {
      const values = await valuesOf(file, kind, path);
      return [settingText(formatPath(kind, path), memberAt(field, path) ?? field, field), ...values].join('\n');
    }
  }
  const described = descriptionAt(schemaOf({ isProject: role === 'project', kind }), kind, steps);
  return described === undefined ? undefined : `\`${steps.at(-1) ?? ''}\`: ${described}`;
}

function settingText(path: string, described: FieldSchema | MemberSchema, field: FieldSchema): string {
  // Skip meanings that contain `%`, because such meanings only insert the value into a phrase.
  const named = Object.entries(described.values ?? {}).filter(([, meaning]) => !meaning.includes('%'));
  const values = named.map(([value, meaning]) => `- \`${value}\`: ${meaning}`);
  return [
    `**${described.title}** (\`${path}\`)`,
    '',
    described.description,
    '',
    settingFacts(described, field).join('; '),
    ...values,
  ].join('\n');
}

/** Shows the value of a setting in each environment, with its source and the last apply. */
async function valuesOf(file: OpenFile, kind: string, path: FieldPath): Promise<string[]> {
  const { snapshot } = file;
  const lines: string[] = [];
  for (const [environment, resolution] of await snapshot.resolutions()) {
    const users = resolution.all.filter((one) => one.kind === kind && usesFile(resolution, one, file.path));
    for (const one of users.slice(0, limits.resources)) {
      const address = addressOf(one);
      const source = resolution.sourceAt(address, path);
      const value = valueAt(one, resolution, path);
      const whose = users.length === 1 ? '' : ` (${address})`;
      const from = source === undefined ? '' : ` from ${source.file}:${source.line}`;
      const state = await appliedText(file, { environment, kind: one.kind, name: one.name });
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const shown = value === undefined ? 'not set' : code(shorten(text, limits.characters));
      lines.push(`- ${environment}${whose}: ${shown}${from}; ${state}`);
    }
    if (users.length > limits.resources) lines.push(`- ${environment}: and ${users.length - limits.resources} more`);
  }
  return lines.length === 0 ? [] : ['', ...lines];
}

/** Whether a file is part of a resource: its manifest, a base, or an included text. */
export function usesFile(resolution: Resolution, one: ManifestIdentity, path: string): boolean {
  if (one.file === path || one.ownFile === path) return true;
  return resolution.declaredOf(addressOf(one))?.files.includes(path) === true;
}

/** Returns the value of a field, with secrets by reference. */
export function valueAt({ kind, name }: ManifestIdentity, resolution: Resolution, path: FieldPath): Json | undefined {
  const field = fieldAt(kind, path);
  let value: Json | undefined = resolution.shownValuesOf(addressOf({ kind, name }));
  for (const step of path) {
    if (Array.isArray(value)) {
      const key = field?.mapKey ?? '';
      value = value.find((item) => isJsonObject(item) && item[key] === step);
    } else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

function aboutRule(name: string): string | undefined {
  if (!isLintRule(name)) return undefined;
  const lintRule = lintRules.find((one) => one.name === name);
  return lintRule && `\`${name}\`: ${lintRule.description}\n\nDefault: \`${lintRule.level}\`. [More](${pageOf(name)})`;
}

function lineText({ file, line }: Span): string {
  return `${file}:${line}`;
}

function code(text: string): string {
  const line = shorten(
    text
      .split(/\r?\n/)
      .map((one) => one.trim())
      .join(' ⏎ '),
    limits.characters,
  );
  const ticks = ticksAround(line, 1);
  const pad = ticks.length > 1 || line === '' ? ' ' : '';
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** Returns backticks that enclose a text: one more than in any run of backticks in the text. */
function ticksAround(text: string, min: number): string {
  return '`'.repeat(Math.max(min, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
}
