import { AgentformError } from '../../errors.ts';
import { canonicalJson, type Json, mapTexts, withoutUndefined } from '../../json/json.ts';
import { type ComparisonRule, comparable, comparisonRulesBetween, comparisonRulesOf } from '../../kinds/compare.ts';
import { addressOf } from '../../kinds/desired.ts';
import { type FieldPath, formatPath, isWithin, parsePath, settingPath, typedPath } from '../../kinds/field-path.ts';
import { comparedAs, kindNamed } from '../../kinds/kind.ts';
import { PathMap } from '../../kinds/path-map.ts';
import { type Secrecy, withCredentials } from '../../kinds/sensitive.ts';
import type { FormRule } from '../../kinds/service-forms.ts';
import type { Declaration, Provenance } from '../../manifest/resolve/values/provenance.ts';
import type { Notice } from '../../notices/notice.ts';
import { hidingCredentials } from '../../plan/credentials.ts';
import type { FieldState } from '../../plan/fields/field-state.ts';
import { liveSide, resourceState, shownSide, unmanagedSettings } from '../../plan/fields/resource-state.ts';
import { asDeclared } from '../../plan/kept-settings.ts';
import { campaignIn, type Observation, wasEditedSince } from '../../plan/observation.ts';
import { isPlanned } from '../../plan/pending.ts';
import type { Change, ResourcePlan } from '../../schemas/plan-types.ts';
import { credentialsIn } from '../../secrets/credentials.ts';
import { mask } from '../../secrets/secret.ts';
import type { Host } from '../../session/host.ts';
import { prepare } from '../../session/prepare.ts';
import { isUnmanaged, unknownField } from '../../session/selection.ts';
import { type Session, type SessionOptions, withSession } from '../../session/session.ts';
import { listSome } from '../../text/wording.ts';
import { withUpdateRefusals } from '../update/update.ts';

export interface ExplainOptions extends Omit<SessionOptions, 'names'> {
  /** The name of a resource. Must be `Kind/name` if resources of several kinds have this name. */
  readonly name: string;
  /**
   * A path as in a plan. The path of a section, list or element selects all of its fields. By default, all fields are
   * selected.
   */
  readonly path?: string | undefined;
}

/** What the plan does with the fields of a resource, and why. */
export interface Explanation {
  readonly environment: string;
  readonly resource: Pick<
    ResourcePlan,
    'kind' | 'name' | 'id' | 'action' | 'willBe' | 'renamedFrom' | 'reasons' | 'lastApply'
  >;
  /** Whether the resource was edited since the last apply. This member is absent if the answer is unknown. */
  readonly touched?: boolean;
  readonly unverified: 'set' | 'report';
  readonly fields: readonly FieldExplanation[];
  /** Settings with a non-default live value that neither the manifest nor the record contains. */
  readonly unmanaged: readonly string[];
}

/** The facts that determine what the plan does with a field. Sensitive values are masked. */
export interface FieldExplanation {
  readonly path: string;
  /** Whether the field is part of the plan. */
  readonly managed: boolean;
  readonly readable: boolean;
  /** The value in the manifest. Like `live` and `lastApplied`, this member is absent if there is no value. */
  readonly desired?: Json;
  readonly live?: Json;
  readonly lastApplied?: Json;
  /** Set if the last fingerprint was made with another token. The last applied value then cannot be compared. */
  readonly lastIsForeign?: true;
  /** Where the desired value comes from. */
  readonly source?: FieldSource;
  /** Whether the desired value equals the live value or, for a write-only field, the last applied value. */
  readonly equal: boolean;
  /**
   * The comparison rules that make the two values equal or, if the values differ, the rules that apply to them. The
   * rules after `read-back` connect the sent value with the value read back.
   */
  readonly rules: readonly (ComparisonRule | FormRule)[];
  /** Set if the service stored a value other than the one that the last apply sent. */
  readonly lastIsAnother?: true;
  /** The planned change of the field, or of its list element. */
  readonly change?: Change;
  /** Why an apply leaves the live value as it is, although the manifest has another value. */
  readonly kept?: Notice;
}

export type FieldSource = Omit<Provenance, 'declarations' | 'raw' | 'at' | 'patched'> & {
  /** The patch that produces the text. `of` is the file with the unpatched text. */
  readonly patch?: { readonly file: string; readonly of?: string };
  readonly declarations: readonly (Omit<Declaration, 'yamlPath' | 'sourceValue'> & { readonly written: Json })[];
};

/** Explains a field, or all fields in a section, list or element. Reads the service and writes nothing. */
export function explain(host: Host, { name, path, ...options }: ExplainOptions): Promise<Explanation> {
  return withSession(host, { ...options, names: [name] }, async (session) => {
    const found = await prepare(session, { ...options, names: [name], isJudged: true }, host);
    const { plan, prepared, planning } = await withUpdateRefusals({ session, run: found, host });
    const [known, ...others] = prepared.values();
    if (known === undefined || others.length > 0) throw notOne(name, [...prepared.keys()]);
    const one = await hidingCredentials(asDeclared(known.observation), planning.secrecy);
    const resource = plan.resources.find((each) => addressOf(each) === addressOf(one.desired));
    if (resource === undefined) throw notOne(name, []);
    // If the plan leaves out the resource, its changes will not be made. A waiting resource gets them later.
    const made = isPlanned(resource) ? known.changes : [];
    // Only the plan's changes contain the reasons why `update` would refuse them.
    const marked = new Map(resource.changes.map((change) => [change.path, change]));
    const changes = new PathMap(made.map(({ path: at, change }) => [at, marked.get(change.path) ?? change]));
    const kept = keptIn(resource);
    const secrecy = withCredentials(planning.secrecy, one.credentials);
    const fields = await chosenFields({ session, observation: one, changes, kept, secrecy }, path);
    const { kind, id, action, willBe, renamedFrom, reasons, lastApply } = resource;
    const canTell =
      kindNamed(one.desired.kind).live !== undefined && one.record !== undefined && campaignIn(one) !== undefined;
    return {
      environment: session.environment,
      resource: withoutUndefined({ kind, name: resource.name, id, action, renamedFrom, reasons, willBe, lastApply }),
      ...(canTell && { touched: wasEditedSince(one) }),
      unverified: planning.unverified,
      fields,
      unmanaged: unmanagedSettings(one),
    };
  });
}

function notOne(name: string, addresses: readonly string[]): AgentformError {
  const found = listSome(addresses, 5);
  return new AgentformError('usage', `explain accepts one resource, but ${name} selects ${found || 'none'}`);
}

/** Returns the reasons why settings stay as they are on the service, by path. */
function keptIn({ warnings }: ResourcePlan): PathMap<Notice> {
  return new PathMap(
    warnings.flatMap((one) =>
      one.code === 'settings-kept' || one.code === 'drift-left'
        ? one.facts.paths.map((path): [FieldPath, Notice] => [parsePath(path), one])
        : [],
    ),
  );
}

interface ExplainedResource {
  readonly session: Session;
  readonly observation: Observation;
  readonly changes: PathMap<Change>;
  readonly kept: PathMap<Notice>;
  readonly secrecy: Secrecy;
}

async function chosenFields(subject: ExplainedResource, text: string | undefined): Promise<FieldExplanation[]> {
  const { observation, secrecy } = subject;
  const { desired } = observation;
  const state = resourceState(observation, secrecy);
  if (text === undefined) return state.fields.map((field) => explainField(subject, field));
  const typed = typedPath(text);
  if (typed === undefined) throw unknownField(desired, text, state.fields);
  const path = settingPath(desired.kind, typed);
  const chosen = state.fields.filter((field) => isWithin(field.path, path));
  if (chosen.length > 0) return chosen.map((field) => explainField(subject, field));
  if (!isUnmanaged(desired.kind, path, state.fields)) throw unknownField(desired, text, state.fields);
  return [await unmanagedField(subject, path)];
}

function explainField(
  { session, observation, changes, kept, secrecy }: ExplainedResource,
  field: FieldState,
): FieldExplanation {
  const { wanted, live, last, readable, path } = field;
  const address = addressOf(observation.desired);
  const provenance = session.resolution.provenanceOf(address, path);
  const [change] = changes.along(path);
  const [why] = kept.along(path);
  return {
    path: wanted === undefined ? secrecy.redact(field.text) : field.text,
    managed: true,
    readable,
    ...withoutUndefined({
      desired: wanted && shownSide(field, wanted),
      live: readable && live ? shownSide(field, live) : undefined,
      lastApplied: last && shownSide(field, last),
    }),
    ...(field.lastIsForeign && { lastIsForeign: true as const }),
    ...(field.lastIsAnother && { lastIsAnother: true as const }),
    ...(wanted && provenance && { source: fieldSource(provenance, { hidden: field.sensitive, secrecy }) }),
    ...comparison(observation, field),
    ...withoutUndefined({ change, kept: why }),
  };
}

/** Compares the desired value with the live value or, for a write-only field, with the last applied value. */
function comparison(
  { desired }: Observation,
  { wanted, live, last, readable, path, ...field }: FieldState,
): Pick<FieldExplanation, 'rules' | 'equal'> {
  const schema = comparedAs(desired.kind, path);
  const other = readable ? live : last;
  const equal = readable ? field.liveIsWanted : field.wantedIsLast;
  const readBackRules = ['read-back', ...(field.applied?.rules ?? [])] as const;
  const values = [wanted?.value, other?.value].filter((value) => value !== undefined);
  if (!equal) return { equal, rules: comparisonRulesOf(schema, values) };
  const [one, two] = values;
  if (one === undefined) return { equal, rules: [] };
  if (two === undefined) return { equal, rules: readable ? ['default'] : [] };
  const isSame = comparable(one, schema) === comparable(two, schema);
  return { equal, rules: isSame ? comparisonRulesBetween(one, two, schema) : readBackRules };
}

function fieldSource(
  { files, include, patched, variables, declarations }: Provenance,
  { hidden, secrecy: { redact } }: { readonly hidden: boolean; readonly secrecy: Secrecy },
): FieldSource {
  // A secret reference can be shown.
  const isReference = (value: Json) => typeof value === 'string' && /\$\{secret\.\w+\}/.test(value);
  const shown = (value: Json): Json => (hidden && !isReference(value) ? mask : mapTexts(value, redact));
  return {
    files,
    declarations: declarations.map(({ file, environment, at, sourceValue }) =>
      withoutUndefined({ file, environment, at, written: shown(sourceValue) }),
    ),
    ...withoutUndefined({ include }),
    ...(patched !== undefined && {
      patch: { file: patched.by.path, ...(patched.from !== undefined && { of: patched.from.path }) },
    }),
    variables: variables.map((variable) => ({ ...variable, text: hidden ? mask : redact(variable.text) })),
  };
}

/** Explains a field that is not part of the plan: it is undeclared, or declared only for a create. */
async function unmanagedField(
  { session, observation, secrecy }: ExplainedResource,
  path: FieldPath,
): Promise<FieldExplanation> {
  const { desired } = observation;
  const { leaves, isReadable } = liveSide(observation);
  const value = new PathMap(leaves).get(path)?.value;
  const provenance = session.resolution.provenanceOf(addressOf(desired), path);
  const isDeclared = (provenance?.declarations.length ?? 0) > 0;
  const isHidden =
    value !== undefined &&
    (secrecy.holdsSecret(canonicalJson(value)) ||
      (await credentialsIn({ [path.slice(-2).join(' ')]: value })).length > 0);
  const shown = isHidden ? mask : value;
  return {
    path: formatPath(desired.kind, path),
    managed: false,
    readable: isReadable(path),
    ...(shown !== undefined && shown !== null && { live: shown }),
    ...(isDeclared && provenance && { source: fieldSource(provenance, { hidden: false, secrecy }) }),
    rules: [],
    equal: false,
  };
}
