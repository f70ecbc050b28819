import type { JsonObject } from '../json/json.ts';
import type { Secrecy } from '../kinds/sensitive.ts';
import { credentialsIn } from '../secrets/credentials.ts';
import { type ResourceState, resourceState } from './fields/resource-state.ts';
import { asDeclared } from './kept-settings.ts';
import type { Observation } from './observation.ts';
import { type FreshPlan, planWithState, settledIn } from './resource-plan.ts';
import type { PlanningOptions } from './verdicts/precedence.ts';

// A person may type a key or a token into a prompt on the service. All output and records come from observations.
// Each observation therefore lists the credentials to hide (docs/decisions/0142).

/** Plans a resource like `planWithState`, and hides the credentials in values that the manifest does not declare. */
export async function planHidingCredentials(given: Observation, options: PlanningOptions): Promise<FreshPlan> {
  const made = planWithState(given, options);
  // A plan without changes and notices shows no value.
  if (settledIn(made) !== undefined) return made;
  const { reasons, warnings } = made.planned;
  // If the plan keeps settings, its state has kept values in place of the manifest's values.
  const state = made.observation.kept === undefined ? made.state : undefined;
  const observation = await hidingCredentials(given, options.secrecy, { state, more: { reasons, warnings } });
  return observation === given ? made : planWithState(observation, options);
}

/**
 * Adds the credentials in live and recorded values, and in `more` texts of the service, to an observation. `state` has
 * the compared fields, if they are known. Skips values that equal the manifest's value. Also skips credentials in the
 * manifest, because everyone who can see the plan can see the manifest. Returns the same observation if no credentials
 * are found.
 */
export async function hidingCredentials(
  observation: Observation,
  secrecy: Secrecy,
  { state, more }: { readonly state?: ResourceState | undefined; readonly more?: unknown } = {},
): Promise<Observation> {
  const declared = asDeclared(observation);
  const { fields } = state ?? resourceState(declared, secrecy);
  const ours: JsonObject[] = [];
  const theirs: JsonObject[] = [];
  for (const { path, sensitive, wanted, live, last, readBack } of fields) {
    // The last two names of the path may show that the value is a credential, for example the name of a header.
    const name = path.slice(-2).join(' ');
    if (wanted?.value !== undefined) ours.push({ [name]: wanted.value });
    for (const side of sensitive ? [] : [live, last, readBack]) {
      if (side?.value !== undefined && side.key !== wanted?.key) theirs.push({ [name]: side.value });
    }
  }
  const found = await credentialsIn([theirs, more]);
  if (found.length === 0) return observation;
  const known = new Set(await credentialsIn(ours));
  const credentials = found.filter((one) => !known.has(one));
  return credentials.length === 0 ? observation : { ...observation, credentials };
}
