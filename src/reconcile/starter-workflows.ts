import { type Document, isMap, isScalar, isSeq, parseDocument, visit, type YAMLMap } from 'yaml';
import { listPackageFiles, readPackageFile } from './package-files.ts';

export interface StarterWorkflow {
  /** Path in the repository. */
  readonly path: string;
  readonly text: string;
}

export interface WorkflowFacts {
  /** The folder of the project in its repository; empty for its top. */
  readonly folder: string;
  /** Host of the service in production, if it is known. */
  readonly host: string | undefined;
  readonly record: 'file' | 'git';
}

const templates = 'examples/github';
/** With records in files, they would be gone with the job that wrote them. */
const needsRecordsInGit = ['apply.yml'];

/** The workflows under examples/github, made to fit a project. */
export async function starterWorkflows(facts: WorkflowFacts): Promise<StarterWorkflow[]> {
  const names = (await listPackageFiles(templates)).filter((name) => /\.ya?ml$/.test(name));
  const fitting = names.filter((name) => facts.record === 'git' || !needsRecordsInGit.includes(name));
  return Promise.all(
    fitting.map(async (name) => ({
      path: `.github/workflows/agentform-${name}`,
      text: workflowFor(await readPackageFile(`${templates}/${name}`), facts),
    })),
  );
}

/** A workflow with the project's folder and the service's host put in. Comments and layout stay. */
export function workflowFor(template: string, { folder, host }: Omit<WorkflowFacts, 'record'>): string {
  const document = parseDocument(template);
  visit(document, {
    Map(_key, step) {
      if (!usesAction(step)) return undefined;
      if (folder !== '') setInput(document, step, { name: 'project', value: folder });
      if (host !== undefined && step.hasIn(['with', 'allowed-hosts'])) {
        setInput(document, step, { name: 'allowed-hosts', value: host });
      }
      return visit.SKIP;
    },
    Pair(_key, { key, value }) {
      const isPaths = isScalar(key) && key.value === 'paths' && isSeq(value);
      if (folder === '' || !isPaths) return undefined;
      for (const path of value.items) if (isScalar(path)) path.value = `${folder}/${path.value}`;
      return visit.SKIP;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** `uses: OWNER/agentform@VERSION`. */
function usesAction(step: YAMLMap): boolean {
  const uses = step.get('uses', true);
  return isScalar(uses) && /(^|\/)agentform(@|$)/.test(String(uses.value));
}

function setInput(
  document: Document,
  step: YAMLMap,
  { name, value }: { readonly name: string; readonly value: string },
): void {
  const inputs = step.get('with');
  if (isMap(inputs)) inputs.set(name, value);
  else step.set('with', document.createNode({ [name]: value }));
}
