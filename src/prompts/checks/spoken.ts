import type { Finding, PromptText } from '../prompt-text.ts';

interface Sort {
  readonly find: RegExp;
  readonly what: string;
}

const sorts: readonly Sort[] = [
  { find: /```[^\n]{0,80}|(?<!`)`[^`\n]{1,200}`(?!`)/, what: 'code' },
  { find: /\[[^[\]\n]{1,200}\]\([^()\s]{1,300}\)/, what: 'a Markdown link' },
  {
    find: /\*\*(?=\S)[^*\n]{1,300}\*\*|__(?=\S)[^_\n]{1,300}__|(?<![\w*])\*(?=[^\s*])[^*\n]{1,300}(?<=[^\s*])\*(?![\w*])|(?<!\w)_(?=[^\s_])[^_\n]{1,300}(?<=[^\s_])_(?!\w)/,
    what: 'Markdown',
  },
  { find: /^ {0,3}#{1,6} \S/m, what: 'a Markdown heading' },
  { find: /^ {0,3}(?:[-*+•]|\d{1,3}[.)]) \S/m, what: 'a list' },
  { find: /<\/?(?:b|i|u|em|strong|br|p|a|div|span|ul|ol|li|h[1-6]|code)(?:\s[^<>\n]{0,200})?\/?>/i, what: 'HTML' },
  {
    find: /\b(?:https?|ftp):\/\/\S{1,300}|\bwww\.[\w.-]{1,200}\/\S{1,200}|(?<![\w@.])(?:[a-z0-9-]{1,63}\.){1,4}(?:com|org|net|io|co|us|app|info|de|es|mx)\/\w\S{0,200}/i,
    what: 'a URL that is more than a host name',
  },
  { find: /(?![#*0-9©®™])\p{Extended_Pictographic}|\p{Regional_Indicator}/u, what: 'an emoji' },
];

/** Characters that a voice reads literally, or skips. Each sort once; a link has its URL in it. */
export function findUnspeakable({ role, masked, outline }: PromptText): Finding[] {
  if (role !== 'spoken') return [];
  const found: Finding[] = [];
  const add = (start: number, end: number, what: string): void => {
    if (found.some((one) => start < one.end && one.start < end)) return;
    const message = `this text is spoken word for word, and ${what} cannot be spoken; write it as the agent should say it`;
    found.push({ rule: 'prompt-unspeakable', message, start, end });
  };
  for (const [start, end] of outline.tables.slice(0, 1)) add(start, end, 'a table');
  for (const { find, what } of sorts) {
    const match = find.exec(masked);
    if (match !== null) add(match.index, match.index + match[0].length, what);
  }
  return found;
}
