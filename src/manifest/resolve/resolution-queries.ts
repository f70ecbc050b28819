import { isJsonObject } from '../../json/json.ts';
import { mostManifests, Recent } from '../../json/packed.ts';
import type { Desired, Target } from '../../kinds/desired.ts';
import { organization as organizationKind } from '../../kinds/organization.ts';
import type { PromptChecks } from '../../prompts/prompt-checks.ts';
import { type Node, nodeAt, parsePointer, shownValue, toJson } from '../../yaml/tree.ts';
import type { ManifestIndex } from '../fleet/gather-manifests.ts';
import { hasNoErrors } from '../project/layers.ts';
import type { Project } from '../project/project.ts';
import { contentOf, declaredBy } from './content.ts';
import type { EnvironmentNode } from './identity/target.ts';
import type { LookedAt } from './look.ts';
import type { Declared, ManifestContent, Origin, Resolution, ResolveContext, ResolveOptions } from './resolution.ts';
import { provenanceOf, variablesAt, writtenAt, writtenValueAt } from './values/provenance.ts';
import { Scope } from './values/scope.ts';
import { promptProblemsAt } from './values/sections.ts';

// Queries about resolved manifests of an environment, by address.

/** Resolved manifests, by address. */
export type LookedByAddress = ReadonlyMap<string, Pick<LookedAt, 'manifest' | 'resolved' | 'references'>>;

export function desiredOf({
  manifest: { chain },
  resolved,
}: Pick<LookedAt, 'manifest' | 'resolved'>): Desired<Target>[] {
  return hasNoErrors(chain) && resolved?.desired !== undefined ? [resolved.desired] : [];
}

export function originsIn(looked: LookedByAddress): Resolution['originOf'] {
  return (address, pointer) => {
    const tree = looked.get(address)?.resolved?.tree;
    const node = tree === undefined ? undefined : nodeAt(tree, parsePointer(pointer));
    return node === undefined ? undefined : originOf(node);
  };
}

export function writtenIn(
  looked: LookedByAddress,
  { scope }: ResolveContext,
): Pick<Resolution, 'writtenAt' | 'variablesAt' | 'writtenValueAt'> {
  const find = (address: string) => {
    const { manifest, resolved } = looked.get(address) ?? {};
    return manifest && resolved && { kind: manifest.kind, tree: resolved.tree, scope: scope.of(manifest) };
  };
  return {
    writtenAt(address, path, before) {
      const found = find(address);
      return found && writtenAt(found, path, before);
    },
    writtenValueAt(address, path) {
      const found = find(address);
      return found && writtenValueAt(found, path);
    },
    variablesAt(address, path) {
      const found = find(address);
      return found === undefined ? new Map() : variablesAt(found, path);
    },
  };
}

/** Texts are checked on request: a plan asks for those that change. */
export function promptProblemsIn(
  looked: LookedByAddress,
  context: ResolveContext,
  checksOfAll: () => PromptChecks,
): Resolution['promptProblemsAt'] {
  let prompts: PromptChecks | undefined;
  return async (address, paths) => {
    const { manifest, resolved } = looked.get(address) ?? {};
    if (manifest === undefined || resolved === undefined) return [];
    prompts ??= checksOfAll();
    const scope = context.scope.of(manifest);
    return promptProblemsAt(manifest, { tree: resolved.tree, paths }, { ...context, scope, prompts });
  };
}

export function provenancesIn(
  looked: LookedByAddress,
  { environment, scope }: ResolveContext,
): Resolution['provenanceOf'] {
  return (address, path) => {
    const { manifest, resolved } = looked.get(address) ?? {};
    if (manifest === undefined || resolved === undefined) return undefined;
    return provenanceOf({ manifest, tree: resolved.tree, environment: environment.name, scope }, path);
  };
}

export function outlinesIn(looked: LookedByAddress): Resolution['outlineOf'] {
  return (address) => {
    const tree = looked.get(address)?.resolved?.tree;
    const outline = tree && toJson(tree, shownValue);
    return isJsonObject(outline) ? outline : undefined;
  };
}

export function declaredIn(looked: LookedByAddress, index: ManifestIndex): Resolution['declaredOf'] {
  const known = new Recent<string, Declared>(mostManifests);
  return (address) => {
    const { manifest, resolved, references } = looked.get(address) ?? {};
    if (manifest === undefined || resolved === undefined || references === undefined) return undefined;
    const { organization: name, owner } = references;
    const organization = name && index.find(organizationKind.name, String(name.value));
    const declared = known.get(address) ?? declaredBy(manifest, { resolved, owner, organization });
    known.set(address, declared);
    return declared;
  };
}

interface ContentInput {
  readonly project: Project;
  readonly env: ResolveOptions['env'];
  readonly environment: EnvironmentNode;
}

/** Worked out when it is asked for: only what is written, or required elsewhere, needs it. */
export function contentsIn(
  looked: LookedByAddress,
  { project, env, environment }: ContentInput,
): Resolution['contentOf'] {
  const known = new Recent<string, ManifestContent>(mostManifests);
  return (address) => {
    const manifest = looked.get(address)?.manifest;
    const found = known.get(address);
    if (manifest === undefined || found !== undefined) return found;
    // With a separate count of insertions, and without secrets.
    const scope = new Scope({ environment, env, secrets: 'form' });
    const content = contentOf(manifest, { files: project.files, scope: scope.of(manifest) });
    known.set(address, content);
    return content;
  };
}

function originOf(node: Node): Origin {
  const place = { at: node.at, over: node.over ?? [] };
  if (node.type !== 'scalar') return place;
  const { from, raw, masked } = node;
  const file = from === undefined ? {} : { file: from.path };
  return { ...place, ...file, ...(raw === undefined ? {} : { raw }), ...(masked === undefined ? {} : { masked }) };
}
