// Why the plan says of a field what it says, in plain words.
import { addressOf } from '../kinds/desired.ts';
import { conflictWaysOut } from '../plan/conflict-ways-out.ts';
import type { Explanation, FieldExplanation } from './explanation.ts';

/** One or two sentences on what an apply would do about the field, and why. */
export function reasonText(field: FieldExplanation, explanation: Explanation): string {
  const { action } = explanation.resource;
  if (action === 'blocked' || action === 'failed') {
    return `The plan leaves ${addressOf(explanation.resource)} out, so nothing is decided about its fields.`;
  }
  if (!field.managed) return unmanagedText(field);
  if (field.lastIsForeign && (field.change !== undefined || !field.readable)) return foreignText(field, explanation);
  if (field.change === undefined) return restingText(field, explanation);
  return field.readable ? comparedText(field, explanation) : darkText(field, explanation);
}

function unmanagedText({ source }: FieldExplanation): string {
  if (source === undefined) {
    return 'Not managed: no manifest, base or overlay declares it, so agentform neither compares nor sends it.';
  }
  return 'Declared, and not part of the plan: either extraSettings has it too and wins, or it counts for the creation only.';
}

function foreignText(field: FieldExplanation, { resource }: Explanation): string {
  const why = 'The record has a fingerprint of another token, so it is not known whether the value changed since.';
  if (field.change === undefined) return `${why} The manifest counts as applied.`;
  if (field.change.cause !== 'conflict') return `${why} ${outcomeText(field)}`;
  const refusal = `An apply refuses to choose: ${conflictWaysOut(resource, [field.change.path])}.`;
  return `${why} Somebody touched the agent too. ${refusal}`;
}

/** Nothing is to be done. */
function restingText(field: FieldExplanation, { touched, unverified }: Explanation): string {
  if (field.desired === undefined) {
    return 'The manifest does not declare it, and the service does not have it: it leaves the record with the next apply.';
  }
  if (field.readable) return field.equal ? equalText(field) : 'An apply leaves it as it is.';
  if (touched !== true) {
    return 'The service does not show it. It is assumed to be what the last apply wrote, because nobody touched the agent since.';
  }
  return unverified === 'report'
    ? 'The service does not show it, and somebody touched the agent since the last apply: it is in doubt. The environment says `unverified: report`, so it is only reported.'
    : 'The service does not show it; the last apply wrote this value.';
}

function equalText({ rules, live }: FieldExplanation): string {
  if (rules.includes('default'))
    return 'The service shows nothing, which equals what the manifest wants: nothing to do.';
  if (rules.includes('read-back')) {
    return 'The service reads the value back in another form, as it did right after the last apply: nothing to do.';
  }
  if (live === undefined) return 'Neither the service nor the manifest has a value: nothing to do.';
  return 'The service has what the manifest wants: nothing to do.';
}

function comparedText(field: FieldExplanation, { resource }: Explanation): string {
  const { change, live, lastApplied } = field;
  if (resource.action === 'create')
    return 'The agent is to be created, so nothing could be compared: an apply sends it.';
  const isUnset = change?.op !== 'set';
  const outcome = outcomeText(field);
  switch (change?.cause) {
    case 'drift':
      return isUnset
        ? `The service has something that the last apply did not put there and no manifest asks for: somebody added it. ${outcome}`
        : `The manifest still says what the last apply wrote, and the service says something else: somebody changed it there. ${outcome}`;
    case 'conflict':
      return `Both the manifest and the service moved away from what the last apply wrote, and not to the same value. An apply refuses to choose: ${conflictWaysOut(resource, [change.path])}.`;
    case 'adopt':
      return `The service has had a value of its own since before agentform managed it: there is no record of an apply. ${outcome}`;
    default:
      if (isUnset) return `The manifest no longer declares it, and the service still has what was applied. ${outcome}`;
      if (lastApplied !== undefined) {
        return `The manifest changed since the last apply, and the service still has what was applied then. ${outcome}`;
      }
      return live === undefined
        ? `The manifest declares it, and neither the service nor the record has it. ${outcome}`
        : `The manifest declares it anew. ${outcome}`;
  }
}

function darkText(field: FieldExplanation, { resource }: Explanation): string {
  const { change, lastApplied } = field;
  const outcome = outcomeText(field);
  if (resource.action === 'create')
    return 'It is to be created, so there was nothing to compare with: an apply sends it.';
  if (change?.cause === 'unverified') {
    return 'The service does not show it, and somebody touched the agent since the last apply: it may have been changed. An apply sends it again.';
  }
  if (change?.op !== 'set') return `The manifest no longer declares it, and the service does not show it. ${outcome}`;
  return lastApplied === undefined
    ? `The service does not show it, and the record has no value: whatever is there is overwritten unseen. ${outcome}`
    : `The service does not show it, and the manifest no longer says what the last apply wrote. ${outcome}`;
}

function outcomeText({ change, path }: FieldExplanation): string {
  const whole = change === undefined || change.path === path ? 'it' : `the whole ${change.path}`;
  if (change?.op === 'set') return `An apply sets ${whole} to what the manifest wants.`;
  if (change?.op === 'unset') return `An apply takes ${whole} away.`;
  return 'An apply stops managing it and sends nothing: the service keeps what it has.';
}
