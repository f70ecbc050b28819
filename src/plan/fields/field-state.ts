import { isJsonObject, type Json } from '../../json/json.ts';
import { comparable, equalsAbsent } from '../../kinds/compare.ts';
import type { Desired } from '../../kinds/desired.ts';
import { type FieldPath, isElement, isMapField } from '../../kinds/field-path.ts';
import { comparedAs, kindNamed, schemaAt } from '../../kinds/kind.ts';
import type { Leaf } from '../../kinds/leaves.ts';
import type { Secrecy } from '../../kinds/sensitive.ts';
import { isEscaped, liveAsSent, type ReadForms } from '../../kinds/service-forms.ts';
import { holdsEdits, mergeTexts, type TextSides } from '../../kinds/text-merge.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { AppliedField } from '../../schemas/record-types.ts';
import { fingerprintOf, isForeign } from '../../secrets/fingerprint.ts';

/**
 * One side of a field: its value, and a text that represents the value in comparisons. For a sensitive value, this text
 * is its fingerprint.
 */
export interface Side {
  readonly value: Json | undefined;
  readonly key: string;
  /**
   * The fingerprint to show and record instead of the value, which contains a credential that someone typed on the
   * service. The field itself is not sensitive, so later values may be shown.
   */
  readonly maskedAs?: string;
}

/**
 * The three sides of one field: the wanted, live and last applied values. An absent side is undefined.
 *
 * A record may keep both the sent value and the form in which the service returned it. The live value is then compared
 * with the returned form, and the wanted value with the sent value. If the service stored a different value, or an
 * answer kept the live value, that value counts as last applied. This ends once the service returns the sent value.
 */
export interface FieldState {
  readonly path: FieldPath;
  /** The path as it is displayed. */
  readonly text: string;
  /** Whether the field represents an empty keyed list or an element without members. */
  readonly isMarker: boolean;
  readonly readable: boolean;
  readonly sensitive: boolean;
  readonly wanted: Side | undefined;
  readonly live: Side | undefined;
  /** The live value, converted from the service's form to the sent form where possible. */
  readonly liveAsSent: Side | undefined;
  readonly last: Side | undefined;
  /**
   * The value read back after the last write, if it differs from the sent value. If the values differ in more than
   * their form, `readBack` is undefined once the service returns the sent value.
   */
  readonly readBack: Side | undefined;
  readonly applied: AppliedField | undefined;
  /** Whether the service stored another value, and not just another form of the sent value. */
  readonly lastIsAnother: boolean;
  /** Whether the record has only a fingerprint made with another key, which cannot be compared. */
  readonly lastIsForeign: boolean;
  /** Whether the live value is the wanted value, either as sent or in the service's form. */
  readonly liveIsWanted: boolean;
  /** Whether the live value equals the wanted value directly, without regard to the form that the record stores. */
  readonly readsAsWanted: boolean;
  readonly liveIsLast: boolean;
  /** Whether the wanted and last applied values are equal or both absent. */
  readonly wantedIsLast: boolean;
  /**
   * The three versions of a text that changed differently on the service and in the manifest. Undefined for other
   * values and for masked values.
   */
  readonly movedTexts: TextSides | undefined;
  /** Whether the manifest's text in `movedTexts` contains all live edits. */
  readonly wantedHoldsLive: boolean;
  /** Whether the two edits of `movedTexts` do not overlap, and the merged text keeps the live edits. */
  readonly isMergeable: boolean;
  /** Whether the live value is absent, empty or the documented default. */
  readonly liveIsUnset: boolean;
}

/** The declared, live and recorded values of one field. */
export interface FieldSides extends Pick<FieldState, 'path' | 'text'> {
  readonly wanted?: Leaf;
  readonly live?: Leaf;
  readonly last?: AppliedField;
}

interface FieldContext {
  readonly desired: Desired;
  /**
   * The environment and name that salt the fingerprints in the record. After a rename, these are the former environment
   * and name.
   */
  readonly recorded: { readonly environment: string; readonly name: string };
  readonly secrecy: Secrecy;
  readonly isReadable: (path: FieldPath) => boolean;
  /** Whether the resource may have been edited since the last apply. */
  readonly touched: boolean;
}

type Recorded = Pick<FieldState, 'last' | 'readBack' | 'lastIsAnother' | 'lastIsForeign'>;

const nothingRecorded: Recorded = { last: undefined, readBack: undefined, lastIsAnother: false, lastIsForeign: false };

interface OwnSides {
  readonly kind: KindName;
  readonly wanted: Side | undefined;
  readonly live: Side | undefined;
  readonly readable: boolean;
  readonly sideOf: (value: Json) => Side;
}

function recordedSides({ path, text, last: applied }: FieldSides, own: OwnSides, context: FieldContext): Recorded {
  if (applied === undefined) return nothingRecorded;
  const recorded = (value: Json | undefined, fingerprint: string | undefined): Side | undefined => {
    if (fingerprint !== undefined) {
      const key = keyOfFingerprint(fingerprint, { ...context, path, text, ...own });
      return { value: undefined, key, maskedAs: fingerprint };
    }
    return value === undefined ? undefined : own.sideOf(value);
  };
  const sent = recorded(applied.value as Json | undefined, applied.fingerprint);
  const isStoredSince = applied.rules === undefined && own.live !== undefined && own.live.key === sent?.key;
  const readBack = isStoredSince
    ? undefined
    : recorded(applied.readBack as Json | undefined, applied.readBackFingerprint);
  const lastIsAnother = readBack !== undefined && applied.rules === undefined;
  const lastIsForeign = applied.fingerprint !== undefined && isForeign(applied.fingerprint, context.desired.target.key);
  return { last: lastIsAnother ? readBack : sent, readBack, lastIsAnother, lastIsForeign };
}

function comparedLive(
  { path, last: applied }: FieldSides,
  { kind, wanted, live, sideOf }: OwnSides,
  { readBack, last }: Recorded,
): Pick<FieldState, 'liveAsSent' | 'liveIsLast' | 'liveIsWanted' | 'readsAsWanted' | 'liveIsUnset' | 'wantedIsLast'> {
  const byDefault = schemaAt(kind, path)?.default;
  const liveIsLast = isEqualToLive(readBack ?? last, live, byDefault);
  const readsAsWanted = isEqualToLive(wanted, live, byDefault);
  const wantedIsLast = wanted?.key === last?.key;
  const isAsApplied = wantedIsLast && liveIsLast;
  const liveIsUnset = live?.value === undefined || equalsAbsent(live.value, byDefault);
  const common = { liveIsLast, readsAsWanted, liveIsUnset, wantedIsLast };
  const readForms = readFormsOf(live, applied);
  if (readForms === undefined) return { ...common, liveAsSent: live, liveIsWanted: isAsApplied || readsAsWanted };
  const asSent = maskedLike(live, sideOf(liveIsLast ? readForms.sent : liveAsSent(readForms)));
  const isMeant = wanted?.key === asSent.key || (readsAsWanted && !isEscaped(readForms.live, readForms.rules));
  return { ...common, liveAsSent: asSent, liveIsWanted: isAsApplied || isMeant };
}

/** Masks a side if another form of the same value is masked. */
function maskedLike(other: Side | undefined, side: Side): Side {
  return other?.maskedAs === undefined ? side : { ...side, maskedAs: other.maskedAs };
}

/**
 * Whether a value equals the live value. If there is no live value, `null`, an empty value and the documented default
 * count as equal.
 */
function isEqualToLive(side: Side | undefined, live: Side | undefined, byDefault: unknown): boolean {
  if (live !== undefined) return side?.key === live.key;
  return side?.value !== undefined && equalsAbsent(side.value, byDefault);
}

/**
 * The sent, stored and live forms of a value. Undefined if one of them is missing, if the record has only fingerprints,
 * or if the stored value differs in more than its form.
 */
function readFormsOf(live: Side | undefined, { value, readBack, rules }: AppliedField = {}): ReadForms | undefined {
  if (live?.value === undefined || value === undefined || readBack === undefined || rules === undefined)
    return undefined;
  return { sent: value as Json, readBack: readBack as Json, rules, live: live.value };
}

export function fieldState(sides: FieldSides, context: FieldContext): FieldState {
  const { path, text, wanted: wantedLeaf, live: liveLeaf, last: applied } = sides;
  const { desired } = context;
  const { holdsCredential } = context.secrecy;
  const sensitive = isFieldSecret(sides, context);
  let wanted: Side | undefined;
  const sideOf = (value: Json): Side => {
    if (value === wanted?.value) return wanted;
    const compared = comparable(value, comparedAs(desired.kind, path));
    const fingerprint = () => fingerprintOf(desired.target.key, fingerprintContext(desired, sides), compared);
    if (sensitive) return { value, key: fingerprint() };
    const isMasked = holdsCredential !== undefined && someText(value, holdsCredential);
    return { value, key: compared, ...(isMasked && { maskedAs: fingerprint() }) };
  };
  wanted = wantedLeaf && sideOf(wantedLeaf.value);
  const live = liveLeaf && liveLeaf.value !== null ? sideOf(liveLeaf.value) : undefined;
  const readable = context.isReadable(path);
  const own = { kind: desired.kind, wanted, live, readable, sideOf };
  const recorded = recordedSides(sides, own, context);
  const { last } = recorded;
  const compared = comparedLive(sides, own, recorded);
  const isMoved = !(compared.wantedIsLast || compared.liveIsLast || compared.liveIsWanted);
  const movedTexts = isMoved && !sensitive ? shownTexts(last, wanted, compared.liveAsSent) : undefined;
  return {
    path,
    text,
    isMarker: isMapField(desired.kind, path) || isElement(desired.kind, path),
    readable,
    sensitive,
    wanted,
    live,
    applied,
    ...recorded,
    ...compared,
    ...(movedTexts === undefined ? nothingMoved : mergedTexts(movedTexts)),
  };
}

type MovedTexts = Pick<FieldState, 'movedTexts' | 'wantedHoldsLive' | 'isMergeable'>;

const nothingMoved: MovedTexts = { movedTexts: undefined, wantedHoldsLive: false, isMergeable: false };

/** Describes a text that both sides changed, and whether the edits can be merged. */
function mergedTexts(movedTexts: TextSides): MovedTexts {
  const { overlaps, isOurs, text } = mergeTexts(movedTexts);
  const isFree = overlaps.length === 0;
  return {
    movedTexts,
    wantedHoldsLive: isFree && isOurs,
    isMergeable: isFree && holdsEdits({ ...movedTexts, ours: text }),
  };
}

/** The texts of the sides. Undefined if one of them is masked or not a text. */
function shownTexts(...sides: readonly (Side | undefined)[]): TextSides | undefined {
  const [lastApplied, ours, theirs] = sides.map((side) => (side?.maskedAs === undefined ? side?.value : undefined));
  const areTexts = typeof lastApplied === 'string' && typeof ours === 'string' && typeof theirs === 'string';
  return areTexts ? { lastApplied, ours, theirs } : undefined;
}

/** Whether the field is declared or recorded as sensitive, or any side contains a known secret. */
function isFieldSecret({ wanted, live, last }: FieldSides, { secrecy }: FieldContext): boolean {
  if (wanted?.sensitive === true || last?.fingerprint !== undefined) return true;
  // The sides usually contain the same text. The set ensures that this text is checked only once.
  const values = new Set<unknown>([wanted?.value, live?.value, last?.value, last?.readBack]);
  return [...values].some((value) => someText(value, secrecy.holdsSecret));
}

function someText(value: unknown, isFound: (text: string) => boolean): boolean {
  if (Array.isArray(value)) return value.some((element) => someText(element, isFound));
  if (isJsonObject(value)) return someText(Object.entries(value).flat(), isFound);
  return value !== undefined && value !== null && isFound(String(value));
}

interface Applying extends FieldContext, Pick<FieldState, 'path' | 'text' | 'readable' | 'wanted' | 'live'> {}

/**
 * The comparison text for a recorded fingerprint. This is the comparison text of the side that has the fingerprint, or
 * the fingerprint itself if no side has it. For a fingerprint made with another key, see `keyOfForeign`.
 */
function keyOfFingerprint(fingerprint: string, applying: Applying): string {
  const { desired, path, wanted, live, recorded } = applying;
  if (isForeign(fingerprint, desired.target.key)) return keyOfForeign(fingerprint, applying);
  const at = { ...fingerprintContext(desired, applying), environment: recorded.environment, name: recorded.name };
  const isOf = (side: Side | undefined) =>
    side?.value !== undefined &&
    fingerprint === fingerprintOf(desired.target.key, at, comparable(side.value, comparedAs(desired.kind, path)));
  return [wanted, live].find(isOf)?.key ?? fingerprint;
}

/**
 * The comparison text for a fingerprint made with another key, which cannot be compared. For a readable field, the
 * wanted value counts as applied if the live value is absent or equal. If the live value differs, the live value counts
 * as applied unless the agent was edited. For a write-only field, the wanted value counts as applied if resending it
 * would repeat an addition. In all other cases, neither value counts as applied.
 */
function keyOfForeign(fingerprint: string, { desired, readable, wanted, live, touched }: Applying): string {
  if (!readable) return kindNamed(desired.kind).update === 'adds' ? (wanted?.key ?? fingerprint) : fingerprint;
  if (live === undefined || live.key === wanted?.key) return wanted?.key ?? fingerprint;
  return touched ? fingerprint : live.key;
}

function fingerprintContext({ environment, kind, name }: Desired, { text: path }: Pick<FieldState, 'text'>) {
  return { environment, kind, name, path };
}
