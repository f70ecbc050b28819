import type { DocumentLink, Location, Position } from 'vscode-languageserver/node';
import { addressOf } from '../../kinds/desired.ts';
import type { Resolution, VariableMeaning } from '../../manifest/resolve/resolution.ts';
import { placeKey, type Span } from '../../yaml/problem.ts';
import type { Snapshot } from '../live-project.ts';
import { isSameKind, type Mention } from '../mentions.ts';
import { isInRange, locationIn, rangeIn, startOfFile, uriIn } from '../positions.ts';

/** A document together with the last checked state of its project. */
export interface OpenFile {
  readonly snapshot: Snapshot;
  /** The path relative to the project folder. */
  readonly path: string;
}

export function documentLinks({ snapshot, path }: OpenFile): DocumentLink[] {
  const { index } = snapshot;
  const links = index.file(path)?.mentions.flatMap((mention): DocumentLink[] => {
    const target = mention.type === 'path' ? index.targetOf(mention) : undefined;
    if (target === undefined || !snapshot.project.files.has(target)) return [];
    return [{ range: rangeIn(snapshot, mention.at), target: uriIn(snapshot, target) }];
  });
  return links ?? [];
}

/**
 * Returns the mention at a position. If several mentions contain the position, such as a path and its variable, returns
 * the smallest mention.
 */
export function mentionAt({ snapshot, path }: OpenFile, position: Position): Mention | undefined {
  const mentions = snapshot.index.file(path)?.mentions ?? [];
  const found = mentions.filter(({ at }) => isInRange(position, rangeIn(snapshot, at)));
  return found.sort((one, other) => spanLength(one.at) - spanLength(other.at))[0];
}

function spanLength({ offset, end }: Span): number {
  return end - offset;
}

export async function definitionsAt(file: OpenFile, position: Position): Promise<Location[]> {
  const { snapshot } = file;
  const mention = mentionAt(file, position);
  if (mention === undefined) return [];
  if (mention.type === 'path') {
    const targets = snapshot.index.targetsOf(mention).filter((path) => snapshot.project.files.has(path));
    return targets.map((path) => ({ uri: uriIn(snapshot, path), range: startOfFile }));
  }
  return unique(await definitionsOf(file, mention)).map((at) => locationIn(snapshot, at));
}

async function definitionsOf(file: OpenFile, mention: Mention): Promise<Span[]> {
  const { snapshot } = file;
  if (mention.type === 'resource' || mention.type === 'declaration') return declarationsOf(snapshot, mention);
  if (mention.type === 'variable') return (await variablesFor(file, mention.name)).flatMap(({ at }) => at ?? []);
  if (mention.type === 'definition') return [mention.at];
  if (mention.type === 'environment') {
    const project = snapshot.index.file(snapshot.project.file);
    const declared = project?.mentions.find((one) => one.type === 'environment' && one.name === mention.name);
    return declared === undefined ? [] : [declared.at];
  }
  return [];
}

type NamedMention = Extract<Mention, { type: 'resource' | 'declaration' | 'former' }>;

/** Returns where a resource is declared: in its manifest, or in the row of a table. */
async function declarationsOf(snapshot: Snapshot, named: NamedMention): Promise<Span[]> {
  const found: Span[] = [];
  for (const [, resolution] of await snapshot.resolutions()) {
    for (const one of resolution.all) if (one.name === named.name && isSameKind(one, named)) found.push(one.at);
  }
  if (found.length > 0) return unique(found);
  // No declaration was resolved: the manifest has errors, or the project has no environments.
  return [...snapshot.index.mentions()].flatMap(([, one]) =>
    one.type === 'declaration' && one.name === named.name && isSameKind(one, named) ? [one.at] : [],
  );
}

/** The meaning of `${var.NAME}` in an environment. */
interface MeaningIn extends Partial<VariableMeaning> {
  readonly environment: string;
  /**
   * The resource that gives the variable this meaning. This member is absent if agentform.yaml defines the variable and
   * no resource uses the file.
   */
  readonly address?: string;
}

const maxResources = 200;

/**
 * Returns the values of a variable for the resources that use a file. If there are no such resources, returns the
 * variable's definitions in agentform.yaml.
 */
export async function variablesFor({ snapshot, path }: OpenFile, name: string): Promise<MeaningIn[]> {
  return [...(await snapshot.resolutions())].flatMap(([environment, resolution]): MeaningIn[] => {
    const meanings = meaningsAmong(resolution, path, name).map((meaning) => ({ environment, ...meaning }));
    return meanings.length > 0 ? meanings : definedFor(snapshot, environment, name);
  });
}

/** Returns the definition of a variable in agentform.yaml. */
function definedFor({ index, project }: Snapshot, environment: string, name: string): MeaningIn[] {
  const text = String(project.definitions.get(environment)?.variables[name] ?? '');
  return (index.file(project.file)?.mentions ?? []).flatMap((mention) => {
    if (mention.type !== 'definition' || mention.name !== name || mention.environment !== environment) return [];
    const { at, valueAt = at } = mention;
    return [{ environment, at, valueAt, text }];
  });
}

/** Returns the values of a variable in one environment, for the resources that use the file. */
function meaningsAmong(resolution: Resolution, path: string, name: string): Omit<MeaningIn, 'environment'>[] {
  const found: Omit<MeaningIn, 'environment'>[] = [];
  for (const one of resolution.all) {
    const address = addressOf(one);
    const isUser = one.file === path || one.ownFile === path;
    if (!isUser && !resolution.declaredOf(address)?.needed.includes(path)) continue;
    const variable = resolution.variableOf(address, name);
    if (variable !== undefined) found.push({ address, ...variable });
    if (found.length >= maxResources) break;
  }
  return found;
}

/**
 * Returns all mentions of the name at a position. If the position has no name, or has a declaration in the first line,
 * returns all places that use the file.
 */
export async function referencesAt(
  file: OpenFile,
  position: Position,
  { includeDeclaration }: { readonly includeDeclaration: boolean },
): Promise<Location[]> {
  const { snapshot } = file;
  const mention = mentionAt(file, position);
  if (mention !== undefined && (mention.type !== 'declaration' || position.line > 0)) {
    const own = await definitionsOf(file, mention);
    const spans = unique([...own, ...referencesTo(file, mention)]);
    return (includeDeclaration ? spans : spans.slice(unique(own).length)).map((at) => locationIn(snapshot, at));
  }
  return usesOf(file).map((at) => locationIn(snapshot, at));
}

/** Returns the places that refer to a file, directly or through bases. All members of a fleet share one place. */
export function usesOf({ snapshot, path }: OpenFile): Span[] {
  const users = [...snapshot.index.usersOf(path).values()].flat();
  const direct = users.filter((use) => use.path === path);
  const manifests = users.filter(({ file, path: to }) => to !== path && file.role === 'manifest');
  return unique([...direct, ...manifests].map(({ mention }) => mention.at));
}

function referencesTo({ snapshot }: OpenFile, mention: Mention): Span[] {
  const { index } = snapshot;
  const all = [...index.mentions()];
  if (mention.type === 'path') {
    return index.targetsOf(mention).flatMap((path) => index.usesOf(path).map((use) => use.mention.at));
  }
  const { type } = mention;
  if (type === 'variable' || type === 'definition' || type === 'secret' || type === 'environment') {
    const wanted = type === 'definition' ? 'variable' : type;
    return all.flatMap(([, one]) => (one.type === wanted && one.name === mention.name ? [one.at] : []));
  }
  return all.flatMap(([, one]) =>
    one.type === 'resource' && one.name === mention.name && isSameKind(one, mention) ? [one.at] : [],
  );
}

function unique(spans: readonly Span[]): Span[] {
  return [...new Map(spans.map((at) => [placeKey(at), at])).values()];
}
