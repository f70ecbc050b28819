import { sep } from 'node:path';

/** A project, as described by the language server. */
export interface Project {
  readonly root: string;
  /** The environments; none while agentform.yaml cannot be read. */
  readonly environments: readonly Environment[];
  readonly defaultEnvironment?: string;
}

export interface Environment {
  readonly name: string;
  readonly baseUrl: string;
}

/** The emulator runs in the process of agentform: there is no service to connect to. */
export function isEmbedded({ baseUrl }: Environment): boolean {
  return baseUrl === 'emulator';
}

/** The innermost project around a file; without one the only project. */
export function projectAround(projects: readonly Project[], path: string | undefined): Project | undefined {
  const around = projects.filter(({ root }) => path?.startsWith(root.endsWith(sep) ? root : root + sep));
  const [innermost] = around.sort((one, other) => other.root.length - one.root.length);
  return innermost ?? (projects.length === 1 ? projects[0] : undefined);
}
