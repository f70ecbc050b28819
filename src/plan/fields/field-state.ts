import { isJsonObject, type Json } from '../../json/json.ts';
import { comparable, equalsAbsent } from '../../kinds/compare.ts';
import type { Desired } from '../../kinds/desired.ts';
import { type FieldPath, isElement, isMapField } from '../../kinds/field-path.ts';
import { comparedAs, defaultAt, kindNamed } from '../../kinds/kind.ts';
import type { Secrecy } from '../../kinds/sensitive.ts';
import { isEscaped, liveAsSent, type ReadForms } from '../../kinds/service-forms.ts';
import { holdsEdits, mergeTexts, type TextSides } from '../../kinds/text-merge.ts';
import type { Leaf } from '../../kinds/tree.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { AppliedField } from '../../schemas/record-types.ts';
import { fingerprintOf, isFingerprintOf, isForeign } from '../../secrets/fingerprint.ts';

/** One side of a field: the value, and a text for comparing values (a fingerprint if sensitive). */
export interface Side {
  readonly value: Json | undefined;
  readonly key: string;
}

/**
 * The three sides of one field: wanted, live and last applied, each undefined if absent.
 *
 * The record may have the sent value and, by a rule, the service's form of it. Then live is compared with that form,
 * and wanted with the sent value. If the service stored another value or kept the earlier one, that value counts as
 * last applied, so wanted stays a difference. Once live shows the sent value, the sent value counts: the read lagged.
 */
export interface FieldState {
  readonly path: FieldPath;
  /** The path as people read it. */
  readonly text: string;
  /** It represents an empty keyed list or an element without members, not a value. */
  readonly isMarker: boolean;
  readonly readable: boolean;
  readonly sensitive: boolean;
  readonly wanted: Side | undefined;
  readonly live: Side | undefined;
  /**
   * Live, with values in the service's form converted back to the sent form: to show, to merge and to write into a
   * manifest.
   */
  readonly liveAsSent: Side | undefined;
  readonly last: Side | undefined;
  /** The read-back of the last write, if it differs from the sent value. */
  readonly readBack: Side | undefined;
  /** The record's own entry. */
  readonly applied: AppliedField | undefined;
  /** After the last write, the service had stored another value than the sent one. */
  readonly lastIsAnother: boolean;
  /** The record only has a fingerprint of another key, so last applied cannot be compared with wanted and live. */
  readonly lastIsForeign: boolean;
  /** Whether live equals wanted under the comparison rules; false if wanted is absent. */
  readonly liveIsWanted: boolean;
  /** Whether wanted and live are equal, regardless of the recorded service's form. */
  readonly readsAsWanted: boolean;
  readonly liveIsLast: boolean;
  /** Whether wanted equals last applied, or both are absent. */
  readonly wantedIsLast: boolean;
  /**
   * The three sides of a text that changed both live and in the manifest; undefined for anything else, and for a
   * secret.
   */
  readonly movedTexts: TextSides | undefined;
  /** Whether the manifest's text of `movedTexts` contains all live edits. */
  readonly wantedHoldsLive: boolean;
  /** Whether the edits of `movedTexts` are in different lines. */
  readonly isMergeable: boolean;
  /** Whether live is absent, or already equals the value that an unset would send. */
  readonly liveIsUnset: boolean;
}

/** The manifest's, the live and the recorded side of one field. */
export interface FieldSides extends Pick<FieldState, 'path' | 'text'> {
  readonly wanted?: Leaf;
  readonly live?: Leaf;
  readonly last?: AppliedField;
}

interface Circumstances {
  readonly desired: Desired;
  /** The salt of fingerprints in the record: a former name if the manifest or the environment was renamed. */
  readonly recorded: { readonly environment: string; readonly name: string };
  readonly secrecy: Secrecy;
  readonly isReadable: (path: FieldPath) => boolean;
  /** Whether the resource was edited since the last apply. */
  readonly touched: boolean;
}

/** The recorded value of a field, or its fingerprint. */
interface Recorded {
  readonly readBack: Side | undefined;
  /** Whether the read-back is another value than the sent one. */
  readonly isAnother: boolean;
  /** Its fingerprint is of another key. */
  readonly isForeign: boolean;
  readonly last: Side | undefined;
}

interface OwnSides {
  readonly wanted: Side | undefined;
  readonly live: Side | undefined;
  readonly readable: boolean;
  readonly sideOf: (value: Json) => Side;
}

const nothingRecorded: Recorded = {
  readBack: undefined,
  isAnother: false,
  isForeign: false,
  last: undefined,
};

function recordedSides({ path, text, last: applied }: FieldSides, own: OwnSides, context: Circumstances): Recorded {
  if (applied === undefined) return nothingRecorded;
  const recorded = (value: Json | undefined, fingerprint: string | undefined): Side | undefined => {
    if (fingerprint !== undefined)
      return { value: undefined, key: keyOfFingerprint(fingerprint, { ...context, path, text, ...own }) };
    return value === undefined ? undefined : own.sideOf(value);
  };
  const sent = recorded(applied.value as Json | undefined, applied.fingerprint);
  const isStoredSince = applied.rules === undefined && own.live !== undefined && own.live.key === sent?.key;
  const readBack = isStoredSince
    ? undefined
    : recorded(applied.readBack as Json | undefined, applied.readBackFingerprint);
  const isAnother = readBack !== undefined && applied.rules === undefined;
  const isOfOtherKey = applied.fingerprint !== undefined && isForeign(applied.fingerprint, context.desired.target.key);
  return { readBack, isAnother, isForeign: isOfOtherKey, last: isAnother ? readBack : sent };
}

/** The comparison of live with last applied and with wanted. */
interface LiveComparison
  extends Pick<FieldState, 'liveAsSent' | 'liveIsLast' | 'liveIsWanted' | 'readsAsWanted' | 'liveIsUnset'> {}

function comparedLive(
  {
    kind,
    path,
    applied,
  }: { readonly kind: KindName; readonly path: FieldPath; readonly applied: AppliedField | undefined },
  { wanted, live, sideOf }: OwnSides,
  { readBack, last }: Recorded,
): LiveComparison {
  const byDefault = defaultAt(kind, path);
  const liveIsLast = isEqualToLive(readBack ?? last, live, byDefault);
  const readsAsWanted = isEqualToLive(wanted, live, byDefault);
  const wantedIsLast = wanted?.key === last?.key;
  const isAsApplied = wantedIsLast && liveIsLast;
  const liveIsUnset = live?.value === undefined || equalsAbsent(live.value, byDefault);
  const readForms = readFormsOf(live, applied);
  if (readForms === undefined) {
    return { liveAsSent: live, liveIsLast, readsAsWanted, liveIsWanted: isAsApplied || readsAsWanted, liveIsUnset };
  }
  const asSent = sideOf(liveIsLast ? readForms.sent : liveAsSent(readForms));
  const isMeant = wanted?.key === asSent.key || (readsAsWanted && !isEscaped(readForms.live, readForms.rules));
  return { liveAsSent: asSent, liveIsLast, readsAsWanted, liveIsWanted: isAsApplied || isMeant, liveIsUnset };
}

/** Whether a value equals live. An absent live value equals every value that counts as absent. */
function isEqualToLive(side: Side | undefined, live: Side | undefined, byDefault: unknown): boolean {
  if (live !== undefined) return side?.key === live.key;
  return side?.value !== undefined && equalsAbsent(side.value, byDefault);
}

/** The sent value and the service's form of it, if the record has both and not only their fingerprints. */
function readFormsOf(live: Side | undefined, { value, readBack, rules }: AppliedField = {}): ReadForms | undefined {
  if (live?.value === undefined || value === undefined || readBack === undefined || rules === undefined)
    return undefined;
  return { sent: value as Json, readBack: readBack as Json, rules, live: live.value };
}

/** The state of a field. Every comparison of two of its sides is made here, once. */
export function fieldState(sides: FieldSides, context: Circumstances): FieldState {
  const { path, text, wanted: wantedLeaf, live: liveLeaf, last: applied } = sides;
  const { desired } = context;
  const sensitive = isSensitive(sides, context);
  let wanted: Side | undefined;
  const sideOf = (value: Json): Side =>
    value === wanted?.value ? wanted : { value, key: keyOf(desired, sides, { value, sensitive }) };
  wanted = wantedLeaf && sideOf(wantedLeaf.value);
  const live = liveLeaf && liveLeaf.value !== null ? sideOf(liveLeaf.value) : undefined;
  const readable = context.isReadable(path);
  const own = { wanted, live, readable, sideOf };
  const recorded = recordedSides(sides, own, context);
  const { last } = recorded;
  const compared = comparedLive({ kind: desired.kind, path, applied }, own, recorded);
  const wantedIsLast = wanted?.key === last?.key;
  const isMoved = !(sensitive || wantedIsLast || compared.liveIsLast || compared.liveIsWanted);
  return {
    path,
    text,
    isMarker: isMapField(desired.kind, path) || isElement(desired.kind, path),
    readable,
    sensitive,
    wanted,
    live,
    last,
    readBack: recorded.readBack,
    applied,
    lastIsAnother: recorded.isAnother,
    lastIsForeign: recorded.isForeign,
    wantedIsLast,
    ...compared,
    ...mergedTexts(isMoved ? textSides(last?.value, wanted?.value, compared.liveAsSent?.value) : undefined),
  };
}

/** Whether the edits of both sides of a moved text can be merged. */
function mergedTexts(sides: TextSides | undefined): Pick<FieldState, 'movedTexts' | 'wantedHoldsLive' | 'isMergeable'> {
  if (sides === undefined) return { movedTexts: undefined, wantedHoldsLive: false, isMergeable: false };
  const { overlaps, isOurs, text } = mergeTexts(sides);
  const isFree = overlaps.length === 0;
  return {
    movedTexts: sides,
    wantedHoldsLive: isFree && isOurs,
    isMergeable: isFree && holdsEdits({ ...sides, ours: text }),
  };
}

function textSides(base: Json | undefined, ours: Json | undefined, theirs: Json | undefined): TextSides | undefined {
  const areTexts = typeof base === 'string' && typeof ours === 'string' && typeof theirs === 'string';
  return areTexts ? { base, ours, theirs } : undefined;
}

/** Whether the field is declared or recorded as sensitive, or contains a known secret. */
function isSensitive({ wanted, live, last }: FieldSides, { secrecy }: Circumstances): boolean {
  if (wanted?.sensitive === true || last?.fingerprint !== undefined) return true;
  // Usually all sides have the same text, which is then checked once.
  const values = new Set<unknown>([wanted?.value, live?.value, last?.value, last?.readBack]);
  return [...values].some((value) => holds(value, secrecy.holdsSecret));
}

/** Whether any text in a value matches the predicate. */
function holds(value: unknown, isFound: (text: string) => boolean): boolean {
  if (Array.isArray(value)) return value.some((element) => holds(element, isFound));
  if (isJsonObject(value)) return holds(Object.entries(value).flat(), isFound);
  return value !== undefined && value !== null && isFound(String(value));
}

interface Applying extends Circumstances, Pick<FieldState, 'path' | 'text' | 'readable' | 'wanted' | 'live'> {}

/** The text by which a fingerprint of the record compares: that of the side with the same value, or else its own. */
function keyOfFingerprint(fingerprint: string, applying: Applying): string {
  const { desired, path, wanted, live, recorded } = applying;
  if (isForeign(fingerprint, desired.target.key)) return keyOfForeign(fingerprint, applying);
  const at = { ...fingerprintContext(desired, applying), environment: recorded.environment, name: recorded.name };
  const isOf = (side: Side | undefined) =>
    side?.value !== undefined &&
    isFingerprintOf(fingerprint, comparable(side.value, comparedAs(desired.kind, path)), at, desired.target.key);
  return [wanted, live].find(isOf)?.key ?? fingerprint;
}

/**
 * A fingerprint of another key cannot be compared, so other facts decide. If live equals wanted, or the agent was not
 * edited, the value counts as applied. A write-only value counts as applied if resending it would add something.
 * Otherwise it is sent again.
 */
function keyOfForeign(fingerprint: string, { desired, readable, wanted, live, touched }: Applying): string {
  if (!readable) return kindNamed(desired.kind).update === 'adds' ? (wanted?.key ?? fingerprint) : fingerprint;
  if (live === undefined || live.key === wanted?.key) return wanted?.key ?? fingerprint;
  return touched ? fingerprint : live.key;
}

function keyOf(
  desired: Desired,
  field: Pick<FieldState, 'path' | 'text'>,
  { value, sensitive }: { readonly value: Json; readonly sensitive: boolean },
): string {
  const text = comparable(value, comparedAs(desired.kind, field.path));
  return sensitive ? fingerprintOf(desired.target.key, fingerprintContext(desired, field), text) : text;
}

function fingerprintContext({ environment, kind, name }: Desired, { text: path }: Pick<FieldState, 'text'>) {
  return { environment, kind, name, path };
}
