import { createHash } from 'node:crypto';
import { PlanReader } from '../../src/session/plans/saved-plan.ts';

/**
 * Returns the text of a plan, with one resource per line and the checksum at the end. The plan may be invalid. By
 * default, the checksum is computed from the text.
 */
export function planText(plan: unknown, checksum?: string): string {
  if (typeof plan !== 'object' || plan === null || !('resources' in plan) || !Array.isArray(plan.resources)) {
    return JSON.stringify(plan);
  }
  const { resources, ...head } = plan;
  const lines = resources.map((resource) => `    ${JSON.stringify(resource) ?? 'null'}`);
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  const isBare = Object.keys(head).length === 0;
  const before = `${JSON.stringify(head, null, 2).replace(/\n?\}$/, isBare ? '' : ',')}\n  "resources": ${list},\n`;
  const own = `sha256:${createHash('sha256').update(before).digest('hex')}`;
  return `${before}  "checksum": ${JSON.stringify(checksum ?? own)}\n}\n`;
}

/** Reads a saved plan from a text. If the plan is refused, returns the message. */
export function planIn(text: string) {
  const reader = new PlanReader((resource) => resource);
  try {
    for (const line of text.split('\n')) reader.take(line);
    return reader.end();
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}
