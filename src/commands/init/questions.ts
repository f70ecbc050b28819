import { confirm, isCancel, select, text } from '@clack/prompts';
import type { Console } from '../../cli/console.ts';
import { AgentformError } from '../../errors.ts';
import { defaultStore, storeDefinitions } from '../../record/store-table.ts';
import { visibleLine } from '../../text/visible.ts';
import {
  checkOptions,
  defaultName,
  type InitOptions,
  problemWithName,
  problemWithSample,
  titleFor,
} from './answers.ts';

type Answers = Pick<InitOptions, 'name' | 'title' | 'baseUrl' | 'sample' | 'record' | 'workflows'>;

/** Prompts for missing options. Nothing is written before the last answer, and Ctrl-C ends the command. */
export async function askForProject(
  given: Answers,
  { process }: Console,
  { hasRemote, wasProject, force }: Record<'hasRemote' | 'wasProject' | 'force', boolean>,
): Promise<Answers> {
  checkOptions({ ...given, force }, wasProject);
  const terminal = { input: process.stdin, output: process.stderr };
  const problemWith = (baseUrl: string) => problemWithSample({ ...given, baseUrl, force }, wasProject);
  const entered = given.baseUrl ?? (await answered(text({ ...terminal, ...baseUrlQuestion(problemWith) })));
  const baseUrl = entered === '' ? undefined : entered;
  const agent = await askForAgent({ ...given, baseUrl }, terminal);
  const workflows = given.workflows ?? (await answered(confirm({ ...terminal, ...workflowsQuestion })));
  const initialValue = defaultStore({ forJobs: workflows && hasRemote });
  const record = given.record ?? (await answered(select({ ...terminal, ...recordQuestion, initialValue })));
  return { ...agent, record, workflows, baseUrl };
}

type Terminal = { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream };

/**
 * Prompts for the sample agent. With a base URL, a sample agent requires `--sample`, because the service could already
 * have an agent.
 */
async function askForAgent(given: Answers, terminal: Terminal): Promise<Answers> {
  if (!(given.sample ?? given.baseUrl === undefined)) return given;
  const name = given.name ?? (await answered(text({ ...terminal, ...nameQuestion })));
  const title = given.title ?? (await answered(text({ ...terminal, ...titleQuestion(titleFor(name)) })));
  return { ...given, name, title };
}

const nameQuestion = {
  message: 'Name of the first agent',
  placeholder: defaultName,
  defaultValue: defaultName,
  validate: unlessEmpty((name) => problemWithName.name('the name', name)),
};

function titleQuestion(proposed: string) {
  const title = visibleLine(proposed);
  return {
    message: 'Title of the agent',
    placeholder: title,
    defaultValue: title,
    validate: unlessEmpty((entered) => problemWithName.title('the title', entered)),
  };
}

/** `problemWith` checks a valid URL together with the options. */
function baseUrlQuestion(problemWith: (url: string) => string | undefined) {
  return {
    message: 'Base URL of the service in production',
    placeholder: 'leave empty to use only the emulator',
    defaultValue: '',
    validate: unlessEmpty((url) => problemWithName.baseUrl('the base URL', url) ?? problemWith(url)),
  };
}

const recordQuestion = {
  message: 'Where to keep records',
  options: Object.values(storeDefinitions).map(({ name, label, hint }) => ({ value: name, label, hint })),
};

const workflowsQuestion = { message: 'Write GitHub workflows (plan in pull requests, apply on merge)?' };

/** Makes a check that accepts an empty answer, which selects the default. */
function unlessEmpty(problem: (text: string) => string | undefined) {
  return (text: string | undefined) => {
    const found = text === undefined || text === '' ? undefined : problem(text);
    return found === undefined ? undefined : visibleLine(found);
  };
}

async function answered<Answer>(question: Promise<Answer>): Promise<Exclude<Answer, symbol>> {
  const answer = await question;
  if (isAnswer(answer)) return answer;
  throw new AgentformError('declined', 'nothing was written: the questions were not answered');
}

function isAnswer<Answer>(answer: Answer): answer is Exclude<Answer, symbol> {
  return !isCancel(answer);
}
