import { addressOf } from '../../kinds/desired.ts';
import type { Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import { listNames } from '../../text/ranges.ts';
import { formatNumber } from '../../text/wording.ts';
import { noticesOf } from '../plan/notices.ts';
import { codeSpan, escapeProse } from './escape.ts';

/** Thousands of agents must not push the counts out of sight. */
const most = { notices: 20, characters: 500, nameCharacters: 80 } as const;

/** The important notices; their number if not all are shown. */
export function noticeLines(plan: Plan): string[] {
  const notices = noticesOf(plan);
  const shown = notices.slice(0, most.notices).map(({ resources, label, text }) => {
    const who = resources.length === 0 ? '' : `${namesSpan(resources)}: `;
    return `- ${who}${label === undefined ? '' : `**${label}**`}${escapeProse(text)}`;
  });
  const hidden = notices.length - shown.length;
  return hidden === 0 ? shown : [...shown, `- and ${formatNumber(hidden)} more`];
}

/** The name of a resource as a code span of bounded length. */
export function nameSpan(resource: Pick<ResourcePlan, 'kind' | 'name'>): string {
  return codeSpan(shortened(addressOf(resource), most.nameCharacters));
}

/** The name of a resource, or a list of several names. */
export function namesSpan(resources: readonly Pick<ResourcePlan, 'kind' | 'name'>[]): string {
  const [first] = resources;
  if (first !== undefined && resources.length === 1) return nameSpan(first);
  const names = resources.map((resource) => shortened(addressOf(resource), most.nameCharacters));
  return escapeProse(listNames(names));
}

/** The text, cut with an ellipsis where it is too long for a list. */
export function shortened(text: string, characters: number = most.characters): string {
  if (text.length <= characters) return text;
  return `${text.slice(0, characters).replace(/[\ud800-\udbff]$/, '')}…`;
}
