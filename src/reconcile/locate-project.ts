import { loadProject, type Project } from '../manifest/index.ts';
import { environmentNamed } from './environment.ts';
import type { Host } from './host.ts';

/** Where a project is, and which of its environments a run is about. */
export interface ProjectPlace {
  /** Absolute path of the project folder. */
  readonly root: string;
  /** Name of the project file in it. */
  readonly file: string;
  readonly environment: string;
  readonly record: Project['record'];
}

/** Finds a project before anything is done with it. Throws as every command does where there is none. */
export async function locateProject(
  host: Pick<Host, 'readable'>,
  options: { readonly project: string; readonly environment?: string | undefined },
): Promise<ProjectPlace> {
  const project = await loadProject(options.project, host);
  const environment = environmentNamed(project, options.environment);
  return { root: project.root, file: project.file, environment, record: project.record };
}
