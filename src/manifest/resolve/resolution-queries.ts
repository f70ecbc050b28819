import { isJsonObject } from '../../json/json.ts';
import { addressOf, type Desired, type Target } from '../../kinds/desired.ts';
import { organization as organizationKind } from '../../kinds/organization.ts';
import type { ManifestIndex, MergedManifest } from '../project/gather-manifests.ts';
import { hasNoErrors } from '../project/layers.ts';
import type { Project } from '../project/project.ts';
import { type Node, nodeAt, parsePointer, shownValue, toJson } from '../syntax/tree.ts';
import { contentOf } from './content.ts';
import { declaredBy } from './declared.ts';
import { provenanceOf } from './provenance.ts';
import type { References } from './references.ts';
import type { Declared, ManifestContent, Origin, Resolution, ResolveContext, ResolveOptions } from './resolution.ts';
import type { ResolvedManifest } from './resolve-manifest.ts';
import { Scope } from './scope.ts';
import type { EnvironmentNode } from './target.ts';
import { variablesAt, writtenAt, writtenValueAt } from './written-at.ts';

// What can be asked of the manifests of an environment once they are resolved, by address.

export function desiredOf({ chain }: MergedManifest, { desired }: ResolvedManifest): Desired<Target>[] {
  return hasNoErrors(chain) && desired !== undefined ? [desired] : [];
}

function inAddresses(resolved: ReadonlyMap<MergedManifest, ResolvedManifest>): ReadonlyMap<string, ResolvedManifest> {
  return new Map([...resolved].map(([manifest, one]) => [addressOf(manifest), one]));
}

export function originsIn(resolved: ReadonlyMap<MergedManifest, ResolvedManifest>): Resolution['originOf'] {
  const byAddress = inAddresses(resolved);
  return (address, pointer) => {
    const tree = byAddress.get(address)?.tree;
    const node = tree === undefined ? undefined : nodeAt(tree, parsePointer(pointer));
    return node === undefined ? undefined : originOf(node);
  };
}

export function writtenIn(
  resolved: ReadonlyMap<MergedManifest, ResolvedManifest>,
  { scope }: ResolveContext,
): Pick<Resolution, 'writtenAt' | 'variablesAt' | 'writtenValueAt'> {
  const byAddress = new Map([...resolved].map(([manifest, one]) => [addressOf(manifest), { manifest, one }]));
  const find = (address: string) => {
    const found = byAddress.get(address);
    return found && { kind: found.manifest.kind, tree: found.one.tree, scope: scope.of(found.manifest) };
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

export function provenancesIn(
  resolved: ReadonlyMap<MergedManifest, ResolvedManifest>,
  { environment, scope }: ResolveContext,
): Resolution['provenanceOf'] {
  const byAddress = new Map([...resolved].map(([manifest, one]) => [addressOf(manifest), { manifest, one }]));
  return (address, path) => {
    const found = byAddress.get(address);
    if (found === undefined) return undefined;
    const { manifest, one } = found;
    return provenanceOf({ manifest, tree: one.tree, environment: environment.name, scope }, path);
  };
}

export function outlinesIn(resolved: ReadonlyMap<MergedManifest, ResolvedManifest>): Resolution['outlineOf'] {
  const byAddress = inAddresses(resolved);
  return (address) => {
    const tree = byAddress.get(address)?.tree;
    const outline = tree && toJson(tree, shownValue);
    return isJsonObject(outline) ? outline : undefined;
  };
}

export function declaredIn(
  resolved: ReadonlyMap<MergedManifest, ResolvedManifest>,
  named: readonly { readonly manifest: MergedManifest; readonly references: References }[],
  index: ManifestIndex,
): Resolution['declaredOf'] {
  const byAddress = new Map(named.map((one) => [addressOf(one.manifest), one]));
  const known = new Map<string, Declared>();
  return (address) => {
    const found = byAddress.get(address);
    const of = found && resolved.get(found.manifest);
    if (of === undefined || found === undefined) return undefined;
    const { organization: name, owner } = found.references;
    const organization = name && index.find(organizationKind.name, String(name.value));
    const declared = known.get(address) ?? declaredBy(found.manifest, { resolved: of, owner, organization });
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
  manifests: readonly MergedManifest[],
  { project, env, environment }: ContentInput,
): Resolution['contentOf'] {
  const byAddress = new Map(manifests.map((manifest) => [addressOf(manifest), manifest]));
  const known = new Map<string, ManifestContent>();
  return (address) => {
    const manifest = byAddress.get(address);
    const found = known.get(address);
    if (manifest === undefined || found !== undefined) return found;
    // With a count of its own of what is put in, and of no secret.
    const scope = new Scope({ environment, env, secrets: 'form' });
    const content = contentOf(manifest, { files: project.files, scope: scope.of(manifest) });
    known.set(address, content);
    return content;
  };
}

function originOf(node: Node): Origin {
  const place = { at: node.at, over: node.over ?? [] };
  if (node.type !== 'scalar') return place;
  const { from, raw } = node;
  return { ...place, ...(from === undefined ? {} : { file: from.path }), ...(raw === undefined ? {} : { raw }) };
}
