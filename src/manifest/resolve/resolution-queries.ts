import { isJsonObject } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import { desiredView } from '../../policy/views.ts';
import type { PromptChecks } from '../../prompts/prompt-checks.ts';
import { type Node, nodeAt, parsePointer, shownValue, toJson } from '../../yaml/tree.ts';
import type { Project } from '../project/project.ts';
import { contentOf } from './content.ts';
import type { Origin, Resolution, ResolveContext, ResolveOptions, Selected } from './resolution.ts';
import { desiredOf, type FilledManifest, fillManifest, type NamedManifest } from './resolve-manifest.ts';
import { provenanceOf, sourceAt, sourceValueAt, variablesAt } from './values/provenance.ts';
import { Scope } from './values/scope.ts';
import { promptProblemsAt } from './values/sections.ts';

/** What a run asks about the values of one resource: they are made for the question. */
export type ResolutionQueries = Pick<
  Resolution,
  | 'desiredOf'
  | 'originOf'
  | 'policyView'
  | 'sourceAt'
  | 'sourceValueAt'
  | 'variablesAt'
  | 'promptProblemsAt'
  | 'provenanceOf'
  | 'variableOf'
  | 'outlineOf'
  | 'contentOf'
>;

interface QueriesInput {
  readonly project: Project;
  readonly env: ResolveOptions['env'];
  readonly context: ResolveContext;
  /** Reads the manifest of a selected resource again. */
  readonly namedAt: (address: string) => NamedManifest | undefined;
  /** Undefined where it has errors. */
  readonly selectedAt: (address: string) => Selected | undefined;
  /** Makes all prompt checks. */
  readonly promptChecks: () => PromptChecks;
}

/** Resources that are asked about one after the other, such as those whose reads are under way. */
const mostFilled = 100;

export function queriesOf({
  project,
  env,
  context,
  namedAt,
  selectedAt,
  promptChecks,
}: QueriesInput): ResolutionQueries {
  const recent = new Map<string, FilledManifest>();
  const filledAt = (address: string): FilledManifest | undefined => {
    const known = recent.get(address);
    if (known !== undefined) return known;
    const one = namedAt(address);
    if (one === undefined) return undefined;
    const { filled } = fillManifest(one, { ...context, scope: context.scope.of(one.manifest) });
    for (const oldest of recent.keys()) if (recent.size >= mostFilled) recent.delete(oldest);
    recent.set(address, filled);
    return filled;
  };
  const sourceOf = (address: string) => {
    const filled = filledAt(address);
    return filled && { kind: filled.manifest.kind, tree: filled.tree, scope: filled.scope };
  };
  let prompts: PromptChecks | undefined;
  const originOf: Resolution['originOf'] = (address, pointer) => {
    const tree = filledAt(address)?.tree;
    const node = tree && nodeAt(tree, parsePointer(pointer));
    return node && originIn(node);
  };
  return {
    desiredOf(address) {
      const filled = filledAt(address);
      const selected = selectedAt(address);
      if (filled === undefined || selected === undefined) throw new Error(`${address} is not selected`);
      return desiredOf(selected, filled);
    },
    originOf,
    policyView: (one) => desiredView(one, (pointer) => originOf(addressOf(one), pointer)?.masked),
    sourceAt(address, path, before) {
      const found = sourceOf(address);
      return found && sourceAt(found, path, before);
    },
    sourceValueAt(address, path) {
      const found = sourceOf(address);
      return found && sourceValueAt(found, path);
    },
    variablesAt(address, path) {
      const found = sourceOf(address);
      return found === undefined ? new Map() : variablesAt(found, path);
    },
    async promptProblemsAt(address, paths) {
      const filled = filledAt(address);
      if (filled === undefined) return [];
      prompts ??= promptChecks();
      const { manifest, tree, scope } = filled;
      return promptProblemsAt(manifest, { tree, paths }, { ...context, scope, prompts });
    },
    provenanceOf(address, path) {
      const filled = filledAt(address);
      return filled && provenanceOf({ ...filled, environment: context.environment.name }, path);
    },
    variableOf(address, name) {
      const manifest = (recent.get(address) ?? namedAt(address))?.manifest;
      const variable = manifest && context.scope.of(manifest).variable(name);
      if (variable === undefined) return undefined;
      const { text, at } = variable;
      const column = variable.isCell && manifest?.row?.table.columns.get(name);
      const places = at === undefined ? {} : { at: column || at, valueAt: at };
      return { text, ...places, ...(column && { isColumn: true as const }) };
    },
    outlineOf(address) {
      const tree = filledAt(address)?.tree;
      const outline = tree && toJson(tree, shownValue);
      return isJsonObject(outline) ? outline : undefined;
    },
    contentOf(address) {
      const manifest = filledAt(address)?.manifest;
      if (manifest === undefined) return undefined;
      // With a separate count of insertions, and without secrets.
      const scope = new Scope({ environment: context.environment, env, secrets: 'form' });
      return contentOf(manifest, { files: project.files, scope: scope.of(manifest) });
    },
  };
}

function originIn(node: Node): Origin {
  const place = { at: node.at, over: node.over ?? [] };
  if (node.type !== 'scalar') return place;
  const { from, raw, masked } = node;
  const file = from === undefined ? {} : { file: from.path };
  return { ...place, ...file, ...(raw === undefined ? {} : { raw }), ...(masked === undefined ? {} : { masked }) };
}
