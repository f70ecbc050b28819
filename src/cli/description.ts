import { AgentformError } from '../errors.ts';
import type { ImportOptions } from '../reconcile/import-options.ts';
import type { Console } from './console.ts';

type Agent = Parameters<ImportOptions['describe']>[0];

interface Given {
  readonly description?: string | undefined;
  readonly from?: string | undefined;
}

/** The description of an agent: as given for all, or asked for. Without a terminal, and for a list, nothing is asked. */
export async function askDescription(agent: Agent, { description, from }: Given, console: Console): Promise<string> {
  if (description !== undefined) return description;
  const ways =
    from === undefined ? '--description TEXT' : 'the column description, or --description TEXT for all that have none';
  if (!console.interactive || from !== undefined) {
    throw new AgentformError(
      'usage',
      `the service does not show the description of ${agent.id}, and every agent has to have one; give it with ${ways}`,
    );
  }
  const { isCancel, text } = await import('@clack/prompts');
  const { visibleLine } = await import('../report/visible-text.ts');
  const title = agent.title === undefined ? agent.id : `${agent.id} (${agent.title})`;
  const answer = await text({
    message: `Description of ${visibleLine(console.redact(title))}? The service does not show it`,
    validate: (value) => (value?.trim() ? undefined : 'every agent has to have a description'),
    output: console.process.stderr,
  });
  if (!isCancel(answer)) return answer;
  throw new AgentformError('declined', 'nothing was imported: no description was given');
}
