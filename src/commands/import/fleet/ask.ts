import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isCancel, select } from '@clack/prompts';
import type { Console } from '../../../cli/console.ts';
import { AgentformError } from '../../../errors.ts';
import { placedSentence } from '../../../report/problems/sentence.ts';
import { visible, visibleLine } from '../../../text/visible.ts';
import { counted } from '../../../text/wording.ts';
import type { Problem } from '../../../yaml/problem.ts';

/** A request to import agents as members of a fleet. */
export interface FleetImport {
  /** The fleet's name. If the fleet exists, the agents are compared with its template. */
  readonly fleet: string;
  /** The path of a CSV table. */
  readonly list: string;
  /** The description for a new template. Can refer to columns, as in `Answers the phone of ${var.brand}`. */
  readonly description?: string;
  /** The token's secret, as in `${secret...}`: `NAME` or `NAME[var.column]`. */
  readonly tokenSecret?: string;
  /** Query parameters as `name=value`. Values can refer to columns, as in `targetAccountId=${var.account}`. */
  readonly query: readonly string[];
  /** Throws early if `offer` cannot be answered, for example without a terminal. */
  readonly requireAnswer?: () => void;
  /** Asks before a new fleet is written. Without this function, the fleet is written immediately. */
  readonly offer?: (offered: FleetOffer) => Promise<FleetAnswer>;
}

/** The files of a new fleet, for review. */
export interface FleetOffer {
  /** File contents by path: the template, its text files and the fleet file. */
  readonly files: ReadonlyMap<string, string>;
  /** The path of the fleet file. This file is not part of the review. */
  readonly fleet: string;
  /** Errors in edited files. The user must correct them before the files are written. */
  readonly problems: readonly Problem[];
  readonly agents: number;
  /** The number of agents that will get an override. */
  readonly overridden: number;
}

/** The reply to an offer: write the files, or offer the edited files again. */
export type FleetAnswer = 'write' | ReadonlyMap<string, string>;

/** Throws if there is no terminal to review a new template. */
export function requireTerminal(console: Console): void {
  if (console.interactive) return;
  throw new AgentformError('declined', 'nothing was imported: a new fleet needs confirmation on a terminal; use --yes');
}

/** Shows a new template on the terminal, and asks whether to write, edit or discard the template. */
export async function askForTemplate(offered: FleetOffer, console: Console): Promise<FleetAnswer> {
  console.say(renderOffer(offered));
  const { env, stderr } = console.process;
  const editor = env.VISUAL || env.EDITOR;
  const isSound = offered.problems.length === 0;
  const answer = await select({
    message: isSound ? 'Write this template and the overrides?' : 'The template has errors. Edit it again?',
    options: [
      ...(isSound ? [{ value: 'write', label: 'Write' }] : []),
      {
        value: 'edit',
        label: isSound ? 'Edit first' : 'Edit',
        hint: editor ?? 'to edit, set $EDITOR',
        disabled: editor === undefined,
      },
      { value: 'leave', label: 'Write nothing' },
    ],
    output: stderr,
  });
  if (isCancel(answer) || answer === 'leave')
    throw new AgentformError('declined', 'nothing was imported: the import was not confirmed');
  return answer === 'edit' && editor !== undefined ? edited(offered, editor) : 'write';
}

function renderOffer({ files, fleet, problems, agents, overridden }: FleetOffer): string {
  const shown = [...files].filter(([path]) => path !== fleet).reverse();
  const blocks = shown.map(([path, text]) => `${path}\n\n${visible(text.trimEnd()).replace(/^(?=.)/gm, '  ')}\n`);
  const counts =
    problems.length > 0
      ? problems.map((one) => visibleLine(placedSentence(one))).join('\n')
      : `${overridden} of ${counted(agents, 'agent')} ${overridden === 1 ? 'gets' : 'get'} an override.`;
  return `${blocks.join('\n')}\n${counts}\n`;
}

/** Opens copies of the files in the user's editor. Returns the edited texts. */
async function edited(
  { files, fleet }: Pick<FleetOffer, 'files' | 'fleet'>,
  editor: string,
): Promise<ReadonlyMap<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'agentform-'));
  const paths = [...files.keys()].filter((path) => path !== fleet).reverse();
  try {
    for (const path of paths) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), files.get(path) ?? '');
    }
    await runEditor(editor, paths, folder);
    const texts = await Promise.all(paths.map((path) => readFile(join(folder, path), 'utf8')));
    return new Map(paths.map((path, index) => [path, texts[index] ?? '']));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the editor in a shell, as git does, because VISUAL or EDITOR can contain arguments. */
async function runEditor(editor: string, paths: readonly string[], folder: string): Promise<void> {
  const quoted = paths.map((path) => `"${path}"`).join(' ');
  const child = spawn(`${editor} ${quoted}`, { cwd: folder, shell: true, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code === 0) return;
  const why = code === null ? 'was terminated by a signal' : `exited with code ${code}`;
  throw new AgentformError('usage', `nothing was imported: the editor ${JSON.stringify(editor)} ${why}`);
}
