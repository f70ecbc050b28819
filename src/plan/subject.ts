import { isJsonObject, type Json } from '../json/json.ts';
import type { FieldPath } from '../kinds/field-path.ts';
import { kindNamed } from '../kinds/kind.ts';
import type { PathMap } from '../kinds/path-map.ts';
import type { Coverage, ResourcePlan } from '../schemas/plan-types.ts';
import { type FieldChanges, fieldChanges, type PlacedChange } from './fields/field-changes.ts';
import { type ResourceState, resourceState } from './fields/resource-state.ts';
import { type Observation, type PlanOptions, wasWrittenSince } from './observation.ts';
import type { Orphan } from './records/orphans.ts';
import { isCreate } from './target.ts';
import { type PromptLoss, shrunkPrompts } from './verdicts/shrunk-prompts.ts';

export type PlanningOptions = PlanOptions & { readonly orphans: readonly Orphan[] };

/** The compared fields of a resource, before any verdict. */
interface Compared {
  readonly creates: boolean;
  /** The service shows resources of its kind, and was asked. */
  readonly isRead: boolean;
  readonly state: ResourceState;
  readonly placed: readonly PlacedChange[];
  readonly action: Extract<ResourcePlan['action'], 'create' | 'update' | 'none'>;
  readonly coverage: Coverage;
  readonly assumed: readonly string[];
  readonly doubts: FieldChanges['doubts'];
  readonly losses: readonly PromptLoss[];
}

/** A resource that is judged. Its fields are compared when a verdict first asks for them. */
export class Subject {
  readonly observation: Observation;
  readonly options: PlanningOptions;
  #compared: Compared | undefined;

  constructor(observation: Observation, options: PlanningOptions) {
    this.observation = observation;
    this.options = options;
  }

  get compared(): Compared {
    this.#compared ??= compare(this.observation, this.options);
    return this.#compared;
  }
}

function compare(observation: Observation, options: PlanningOptions): Compared {
  const { desired, record, renamedFrom } = observation;
  const isRead = kindNamed(desired.kind).live !== undefined && !options.offline;
  const creates = options.offline ? record === undefined : isCreate(desired, record);
  const touched = isRead && wasWrittenSince(observation);
  const state = resourceState(observation, options.secrecy);
  const { changes: found, coverage, assumed, doubts } = fieldChanges(state, { ...options, touched });
  const placed = found.map((each) => restoredChange(each, observation));
  const action = creates ? 'create' : placed.length > 0 || renamedFrom !== undefined ? 'update' : 'none';
  const losses = options.shrunkPrompts === undefined ? [] : shrunkPrompts(desired.kind, placed);
  return { creates, isRead, state, placed, action, coverage, assumed, doubts, losses };
}

/** A rollback decides that edits on the service are replaced. */
function restoredChange({ path, change }: PlacedChange, { restored }: Observation): PlacedChange {
  if (restored === undefined) return { path, change };
  const { lastApplied: _, mergeable: __, ...rest } = change;
  const decided = change.cause === 'conflict' ? { ...rest, cause: 'drift' as const } : change;
  const references = 'references' in restored ? restored.references : undefined;
  if (references === undefined || change.to === undefined) return { path, change: decided };
  return { path, change: { ...decided, to: withReferences(change.to as Json, path, references) } };
}

/** A value of a plan with the references to its secrets; the members of an element are one value. */
function withReferences(value: Json, path: FieldPath, references: PathMap<string>): Json {
  if (!isJsonObject(value)) return value;
  if (value.sensitive === true) {
    const reference = references.get(path);
    return reference === undefined ? value : { ...value, reference };
  }
  const members = Object.entries(value).map(([name, member]) => [
    name,
    withReferences(member, [...path, name], references),
  ]);
  return Object.fromEntries(members);
}
