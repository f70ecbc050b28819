import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../src/emulator/emulator.ts';
import type { Fault } from '../../src/emulator/faults.ts';
import { type TestProject, testProject } from './cli.ts';
import { freePort } from './free-port.ts';

/** A request in the form in which the emulator logged it. */
export interface LoggedRequest {
  readonly operation: string;
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly status: number | null;
}

interface ControlAnswer {
  readonly requests: LoggedRequest[];
  readonly agents: { readonly id: string; readonly draft: Readonly<Record<string, unknown>> }[];
}

/** A service on loopback that tests can inspect and disturb. */
export interface Remote {
  readonly baseUrl: string;
  /** Returns the requests since the last call of this method, optionally only for one operation. */
  readonly requests: (operation?: string) => Promise<LoggedRequest[]>;
  /**
   * Returns the number of requests for an operation since the last call of `requests`. Some requests may still wait for
   * a response.
   */
  readonly arrived: (operation: string) => Promise<number>;
  readonly faults: (faults: readonly (Fault | string)[]) => Promise<void>;
  /** Edits an agent as a person does in the dashboard. */
  readonly dashboard: (agentId: string, settings: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly agents: () => Promise<{ readonly id: string; readonly draft: Readonly<Record<string, unknown>> }[]>;
  /**
   * Saves all agents. This requires a data file. The returned function restores the agents, and clears the log and the
   * faults.
   */
  readonly save: () => Promise<() => Promise<void>>;
  readonly close: () => Promise<void>;
}

export async function startRemote(options: EmulatorOptions = {}): Promise<Remote> {
  const port = await freePort();
  let emulator: Emulator = await startEmulator({ ...options, port });
  const { baseUrl } = emulator;
  const control = async (path: string, init: RequestInit = {}) => {
    const headers = init.body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await fetch(`${baseUrl}/__emulator/${path}`, { ...init, headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as ControlAnswer;
  };
  return {
    baseUrl,
    async requests(operation) {
      const { requests } = await control('requests');
      await control('requests', { method: 'DELETE' });
      return requests.filter((request) => operation === undefined || request.operation === operation);
    },
    arrived: async (operation) =>
      (await control('requests')).requests.filter((request) => request.operation === operation).length,
    faults: async (faults) => void (await control('faults', { method: 'PUT', body: JSON.stringify(faults) })),
    dashboard: async (id, settings) =>
      void (await control(`agents/${id}`, { method: 'PATCH', body: JSON.stringify(settings) })),
    agents: async () => (await control('state')).agents,
    async save() {
      const { dataFile } = options;
      if (dataFile === undefined) throw new Error('the emulator has no data file');
      const kept = await readFile(dataFile).catch(() => undefined);
      return async () => {
        await emulator.close();
        await (kept === undefined ? rm(dataFile, { force: true }) : writeFile(dataFile, kept));
        emulator = await startEmulator({ ...options, port });
      };
    },
    close: () => emulator.close(),
  };
}

/** Starts a service whose agents can be saved. */
export async function startSaveableRemote(): Promise<Remote> {
  const folder = await mkdtemp(join(tmpdir(), 'agentform-data-'));
  const remote = await startRemote({ dataFile: join(folder, 'agents.json') });
  const close = async () => {
    await remote.close();
    await rm(folder, { recursive: true });
  };
  return { ...remote, close };
}

export const token = 'tok/S3cret+value=1';

/** Returns the agentform.yaml of a project with one token. */
export function projectFile(baseUrl: string, extra = ''): string {
  return `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
defaultEnvironment: test
environments:
  test:
    baseUrl: ${baseUrl}
    token: \${secret.AGENT_TOKEN}
${extra}`;
}

/** Returns the manifest of an agent, with `body` after the envelope. */
export function agentManifest(name: string, body: string): string {
  return `apiVersion: agentform/v1\nkind: Agent\nname: ${name}\n${body}`;
}

/** Creates a project with one agent, front-desk, on the remote. */
export function oneAgentProject(
  remote: Remote,
  body: string,
  env: Readonly<Record<string, string>> = {},
): Promise<TestProject> {
  return testProject(
    { 'agentform.yaml': projectFile(remote.baseUrl), 'agents/front-desk.yaml': agentManifest('front-desk', body) },
    { AGENT_TOKEN: token, ...env },
  );
}
