import { AgentformError, reasonOf } from '../../errors.ts';
import { readPlainFile } from '../../files/plain-file.ts';
import type { Check } from '../../json/check.ts';
import { readDocument } from '../../json/document.ts';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { GivenAnswer } from '../../plan/answers.ts';

/** Far more answers than a plan has questions. */
const most = { bytes: 1024 * 1024, answers: 10_000, text: 300 } as const;

/** Reads a JSON file with answers: `{ "answers": [{ "question": "Agent/front-desk", "choice": "keep" }] }`. */
export function readAnswers(path: string): GivenAnswer[] {
  const result = readDocument(textOf(path), { newest: 1, check: checkAnswers });
  if (result.fits) return result.value;
  throw unreadable(path, result.problem);
}

function textOf(path: string): string {
  try {
    const file = readPlainFile(path, most.bytes);
    if (file !== undefined) return file.text;
  } catch (cause) {
    throw unreadable(path, reasonOf(cause));
  }
  throw unreadable(path, 'there is no such file');
}

const checkAnswers: Check<GivenAnswer[]> = (json) => {
  const answers = isJsonObject(json) ? json.answers : undefined;
  if (!Array.isArray(answers)) return { fits: false, problem: 'it has no list `answers`' };
  if (answers.length > most.answers) return { fits: false, problem: `it has more than ${most.answers} answers` };
  const wrong = answers.findIndex((one) => answerIn(one) === undefined);
  if (wrong >= 0) {
    const problem = `answers[${wrong}] must have \`question\` and \`choice\`, and may have \`digest\`, \`by\` and \`in\`, each a short text`;
    return { fits: false, problem };
  }
  return { fits: true, value: answers.flatMap((one) => answerIn(one) ?? []) };
};

const members = ['question', 'choice', 'digest', 'by', 'in'] as const;

function answerIn(json: unknown): GivenAnswer | undefined {
  if (!isJsonObject(json) || !hasShortTexts(json)) return undefined;
  const { question, choice, digest, by, in: place } = json;
  if (question === undefined || choice === undefined) return undefined;
  return { question, choice, digest, by, in: place };
}

function hasShortTexts(json: JsonObject): json is Readonly<Partial<Record<(typeof members)[number], string>>> {
  const names: readonly string[] = members;
  return Object.entries(json).every(
    ([name, value]) => names.includes(name) && typeof value === 'string' && value.length <= most.text,
  );
}

function unreadable(path: string, why: string): AgentformError {
  return new AgentformError('usage', `the answers ${path} cannot be read: ${why}`);
}
