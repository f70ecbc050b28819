import { nearest } from '../../text/suggest.ts';
import { quote, shorten } from '../../text/wording.ts';
import type { AllowComment } from '../../yaml/allow-comments.ts';
import { isLintRule, lintRules } from '../../yaml/rules.ts';
import { type Finding, isPromptRule, type PromptText } from '../prompt-text.ts';
import { isInRanges } from '../source-lines.ts';

/** The rules that comments can allow. `prompt-shrunk` compares two texts, so a comment in one of them cannot allow it. */
const allowable: ReadonlySet<string> = new Set(
  lintRules.map(({ name }) => name).filter((name) => isPromptRule(name) && name !== 'prompt-shrunk'),
);

/**
 * Matches comments that were probably meant to allow a finding, because they begin with `agentform-allow`, or name a
 * prompt rule after a similar word.
 */
const similar = /<!--[ \t]{0,20}(?:agentform-allow(?!-?\w)|agentform[-_ :]{1,3}[a-z]{2,20}[\s:,]{1,5}prompt-)/gi;

/** The maximum number of unknown names to report. Looking for a similar name takes time. */
const maxNames = 100;

/** Finds comments that allow nothing. Without these findings, the comments would have no effect, silently. */
export function findInvalidAllowComments({ sourceText, allowComments, outline }: PromptText): Finding[] {
  if (!sourceText.includes('<!--')) return [];
  const valid = new Set(allowComments.map(({ at }) => at));
  const malformed = [...sourceText.matchAll(similar)]
    .filter(({ index }) => !valid.has(index) && !isInRanges(outline.code, index))
    .map(({ 0: shown, index }) => {
      const message =
        'this comment allows nothing, and is part of the prompt; write <!-- agentform-allow RULE --> on one line';
      return invalid(message, index, index + shown.trimEnd().length);
    });
  const empty = allowComments.flatMap(({ at, rules }) => {
    const message = 'this comment allows nothing; name a rule, as in <!-- agentform-allow prompt-placeholder -->';
    return rules.length === 0 ? [invalid(message, at, at + 4)] : [];
  });
  const names = allowComments.flatMap((comment) => namesIn(comment, sourceText));
  const unknown = names.filter(({ name }) => !allowable.has(name));
  return [...malformed, ...empty, ...unknown.slice(0, maxNames).map(unknownRule)];
}

function invalid(message: string, start: number, end: number): Finding {
  return { rule: 'prompt-allow-invalid', message, start, end };
}

interface NamedRule {
  readonly name: string;
  readonly start: number;
}

function namesIn({ at, rules }: AllowComment, text: string): NamedRule[] {
  let end = at;
  return rules.map((name) => {
    const start = text.indexOf(name, end);
    end = start + name.length;
    return { name, start };
  });
}

function unknownRule({ name, start }: NamedRule): Finding {
  const end = start + name.length;
  if (isLintRule(name))
    return invalid(`a comment cannot allow ${name}; set its level under \`lint\` in agentform.yaml`, start, end);
  const message = `there is no prompt rule ${quote(shorten(name, 60))}`;
  const meant = nearest(`prompt-${name.replace(/^prompt-/, '')}`, allowable);
  if (meant === undefined) return invalid(`${message}; name a rule such as prompt-placeholder`, start, end);
  return { ...invalid(message, start, end), fix: { action: 'replace', text: meant } };
}
