import type { JsonObject } from '../../src/json/json.ts';
import type { Desired } from '../../src/kinds/desired.ts';
import { named, pipeline } from './applying.ts';

/** The minimum settings of an agent. */
export const min = { title: 'T', description: 'D' };

/** Makes an agent for a test. */
export function agent(settings: JsonObject = {}, parts: Partial<Desired> = {}, sections: JsonObject = {}): Desired {
  return pipeline.desired(named('agent'), { settings: { ...min, ...settings }, ...sections }, parts);
}
