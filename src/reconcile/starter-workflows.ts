import { isMap, isScalar, parseDocument, visit, type YAMLMap } from 'yaml';
import { listPackageFiles, readPackageFile } from './package-files.ts';

export interface StarterWorkflow {
  /** Path in the repository. */
  readonly path: string;
  readonly text: string;
}

const templates = 'examples/github';

/** The workflows under examples/github, for a project in a folder of its repository; empty for its top. */
export async function starterWorkflows(folder: string): Promise<StarterWorkflow[]> {
  const names = (await listPackageFiles(templates)).filter((name) => /\.ya?ml$/.test(name));
  return Promise.all(
    names.map(async (name) => ({
      path: `.github/workflows/${name.startsWith('agentform') ? name : `agentform-${name}`}`,
      text: workflowFor(await readPackageFile(`${templates}/${name}`), folder),
    })),
  );
}

/** A workflow whose steps of the action work on the project in the folder. Comments and layout stay. */
export function workflowFor(template: string, folder: string): string {
  if (folder === '') return template;
  const document = parseDocument(template);
  visit(document, {
    Map(_key, step) {
      if (!usesAction(step)) return undefined;
      const inputs = step.get('with');
      if (isMap(inputs)) inputs.set('project', folder);
      else step.set('with', document.createNode({ project: folder }));
      return visit.SKIP;
    },
  });
  return document.toString({ lineWidth: 0 });
}

/** `uses: OWNER/agentform@VERSION`. */
function usesAction(step: YAMLMap): boolean {
  const uses = step.get('uses', true);
  return isScalar(uses) && /(^|\/)agentform(@|$)/.test(String(uses.value));
}
