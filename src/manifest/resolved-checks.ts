import type { KindName } from '../schemas/fields.ts';
import type { Violation } from '../schemas/validator.ts';
import { duplicateElements } from './authored-checks.ts';
import { extraSettingWarnings } from './extra-settings.ts';
import { kindRules } from './kind-rules.ts';
import { validatorsOf } from './kind-validators.ts';
import { keyAt, nodeAt, parsePointer } from './pointer.ts';
import type { Problem, Span } from './problem.ts';
import { placeKey } from './problem-list.ts';
import { ResourceView } from './resource-view.ts';
import { isUnsafe, unsafeNumber } from './safe-number.ts';
import { type MapNode, mapNode, scalarsOf, toJson } from './tree.ts';
import type { ValueChecks } from './value-checks.ts';
import { problemsOfViolations } from './violations.ts';

export interface ResolvedResource {
  readonly kind: KindName;
  /** The manifest as written, whose name and kind are pointed at. */
  readonly root: MapNode;
  /** Merged, with everything put in. */
  readonly sections: MapNode;
  /** Every base could be read, so that what is missing is really missing. */
  readonly isWhole: boolean;
  /** Places that have an error already. */
  readonly known: readonly Span[];
}

/** Everything that is wrong with a resource once files, variables and secrets are put in. */
export async function resolvedProblems(resource: ResolvedResource, checks: ValueChecks): Promise<Problem[]> {
  const { kind, sections } = resource;
  const view = new ResourceView(kind, sections);
  const rules = kindRules[kind];
  const beyond = await Promise.all(rules.checks.map((check) => check(view, checks)));
  const misfits = schemaProblems(resource, view);
  const places = new Set([...resource.known, ...misfits.map(({ at }) => at)].map(placeKey));
  return [
    ...misfits,
    ...duplicateElements(kind, sections),
    ...unsafeNumbers(view).filter(({ at }) => !places.has(placeKey(at))),
    ...beyond.flat(),
    ...(await extraSettingWarnings(kind, view, checks)),
    ...rules.lint.flatMap((rule) => rule.find(view)),
  ];
}

/** What the schema says of the merged resource. A place that a file's own check has complained of is not repeated. */
function schemaProblems(resource: ResolvedResource, view: ResourceView): Problem[] {
  const { kind, known, isWhole } = resource;
  const whole = withEnvelope(resource);
  const { resolved } = validatorsOf(kind);
  if (resolved(toJson(whole))) return [];
  const extra = view.extraSettings()?.members;
  const violations = (resolved.errors ?? []).filter((violation) => {
    if (violation.keyword !== 'required') return !isKnown(whole, violation, known);
    return isWhole && !extra?.has(String(violation.params.missingProperty));
  });
  const places = new Set(known.map(placeKey));
  return problemsOfViolations(kind, whole, violations).filter(({ at }) => !places.has(placeKey(at)));
}

/** Whether an error inside the value, or at its key, has been told. */
function isKnown(root: MapNode, { instancePath }: Violation, known: readonly Span[]): boolean {
  const steps = parsePointer(instancePath);
  const node = nodeAt(root, steps);
  if (node === undefined || steps.length === 0) return false;
  const key = keyAt(root, steps);
  return known.some((place) => isWithin(place, node.at) || isWithin(place, key));
}

function isWithin(inner: Span, outer: Span): boolean {
  return inner.file === outer.file && inner.offset >= outer.offset && inner.end <= outer.end;
}

/** The kind's main section is there even if no file has it, so that its required members are missed. */
function withEnvelope({ root, sections }: ResolvedResource): MapNode {
  const at = keyAt(root, ['kind']);
  const members = new Map(['apiVersion', 'kind', 'name'].flatMap((name) => namedMember(root, name)));
  const settings = { key: at, value: mapNode(at, []) };
  return mapNode(root.at, [...members, ['settings', settings], ...sections.members]);
}

function namedMember(
  root: MapNode,
  name: string,
): Array<readonly [string, NonNullable<ReturnType<typeof root.members.get>>]> {
  const member = root.members.get(name);
  return member === undefined ? [] : [[name, member]];
}

/** Of sensitive numbers the file's own check has spoken. */
function unsafeNumbers(view: ResourceView): Problem[] {
  const extra = view.extraSettings();
  return [...scalarsOf(view.root)]
    .filter(([, node]) => !node.sensitive && isUnsafe(node))
    .map(([[section], node]) => unsafeNumber(node, { mayBeText: extra !== undefined && section === 'extraSettings' }));
}
