import type { ImportRow } from '../manifest/index.ts';
import type { AgentAsked } from './import-agent.ts';

/** What an import is told. */
export interface ImportOptions {
  /** The project folder, or its agentform.yaml. */
  readonly project: string;
  readonly environment?: string | undefined;
  /** The one agent, or the path of a CSV of many. */
  readonly what: ImportRow | { readonly list: string };
  /** Where the manifest of the one agent is to lie. */
  readonly path?: string | undefined;
  /** Whether manifests, texts and records that are there may be written anew. */
  readonly force: boolean;
  readonly concurrency: number;
  /** The description of an agent, which the service does not show. */
  readonly describe: (agent: AgentAsked) => Promise<string>;
  /** Aborted to finish what is in flight and begin nothing more. */
  readonly signal: AbortSignal;
}
