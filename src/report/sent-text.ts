import type { LedgerEntry } from '../apply/events.ts';
import { counted, formatNumber } from './counts.ts';

/** What an applied resource was sent: `1 setting changed, 24 sent`, because a request always carries all of them. */
export function sentText({ action, sent, settings }: LedgerEntry): string {
  if (settings === undefined) return sent ? 'sent' : 'recorded, nothing to send';
  if (action === 'create') return `${counted(settings.sent, 'setting')} sent`;
  if (settings.changed === 0) return `${counted(settings.sent, 'setting')} sent again, none known to have changed`;
  return `${counted(settings.changed, 'setting')} changed, ${formatNumber(settings.sent)} sent`;
}
