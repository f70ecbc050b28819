import { AgentformError } from '../../errors.ts';
import { withoutUndefined } from '../../json/json.ts';
import type { RequestedAgent } from './agent.ts';
import type { FleetImport } from './fleet/offer.ts';
import type { ImportOptions } from './open-import.ts';

/** The subject of the import, from its options. */
export interface AskedImport {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly fleet?: string | undefined;
  readonly from?: string | undefined;
  readonly path?: string | undefined;
  readonly description?: string | undefined;
  readonly tokenSecret?: string | undefined;
  readonly query: readonly string[];
}

/** One agent by its id, or a list: the options of one do not work with the other. Throws `usage`. */
export function whatToImport(asked: AskedImport): ImportOptions['what'] {
  const { id, name, from, path, query, description, tokenSecret } = asked;
  if (description?.trim() === '') throw new AgentformError('usage', 'a description cannot be empty');
  if (asked.fleet !== undefined) return fleetToImport(asked.fleet, asked);
  if (from !== undefined) {
    const single = Object.entries({
      AGENT_ID: id,
      '--name': name,
      '--path': path,
      '--token-secret': tokenSecret,
      '--query': query[0],
    });
    const [mixed] = single.find(([, value]) => value !== undefined) ?? [];
    if (mixed === undefined) return { list: from };
    throw new AgentformError(
      'usage',
      `${mixed} is for a single agent and cannot be combined with --from; use the columns of the list`,
    );
  }
  if (id === undefined) {
    throw new AgentformError('usage', 'give the id of the agent to import, or a list of them with --from');
  }
  if (name === undefined) {
    throw new AgentformError('usage', `give ${id} a name in the project with --name, such as --name front-desk`);
  }
  return { id, name, query, ...withoutUndefined({ description, tokenSecret }) };
}

function fleetToImport(
  fleet: string,
  { id, name, from, path, query, description, tokenSecret }: AskedImport,
): FleetImport {
  const [single] =
    Object.entries({ AGENT_ID: id, '--name': name, '--path': path }).find(([, value]) => value !== undefined) ?? [];
  if (single !== undefined)
    throw new AgentformError('usage', `${single} is for a single agent and cannot be combined with --fleet`);
  if (from === undefined)
    throw new AgentformError('usage', 'give the table of the fleet with --from, such as --from clients.csv');
  return { fleet, list: from, query, ...withoutUndefined({ description, tokenSecret }) };
}

/** There is no description, and no one to ask. */
export function descriptionMissing({ id }: RequestedAgent, { isList }: { readonly isList: boolean }): AgentformError {
  const remedy = isList ? 'the column description, or --description TEXT for all that have none' : '--description TEXT';
  return new AgentformError(
    'usage',
    `the service does not return the description of ${id}, and every agent needs one; give it with ${remedy}`,
  );
}
