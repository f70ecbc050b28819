import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { addressOf } from '../../src/kinds/desired.ts';
import { parsePath } from '../../src/kinds/field-path.ts';
import { type FactCache, loadProject } from '../../src/manifest/project/load-project.ts';
import type { Resolution } from '../../src/manifest/resolve/resolution.ts';
import { resolveProject } from '../../src/manifest/resolve/resolve-project.ts';
import { validateProject } from '../../src/manifest/resolve/validate-project.ts';
import type { Files } from '../session/base/random-edits.ts';

export interface Surroundings {
  readonly files: Files;
  readonly env: Readonly<Record<string, string>>;
  /** The targets of symbolic links, by path. */
  readonly links?: Files;
}

const head = 'apiVersion: agentform/v1\n';

/** A project that uses every kind of input. Its inputs are edited one by one. */
export const everyInput: Surroundings = {
  env: { AGENTFORM_VAR_street: 'Elm Street', TOKEN: 'token-of-production', CODE: '123456789' },
  files: {
    'agentform.yaml': `${head}kind: Project
manifests: ["agents/**/*.yaml"]
environments:
  staging: { baseUrl: "https://staging.example.com", token: "\${secret.TOKEN}" }
  production: { baseUrl: "https://service.example.com", token: "\${secret.TOKEN}" }
lint: { prompt-markdown: warn }
`,
    'shared/base.yaml': `${head}kind: Agent\nsettings: { timezone: America/Los_Angeles }\n`,
    'prompts/a.md': 'Answers at ${var.street}. See [the hours](hours.md).\n',
    'agents/a.yaml': `${head}kind: Agent
name: a
extends: ../shared/base.yaml
organization: clinic
target: { query: { targetAccountId: "1" } }
settings: { title: A, description: Answers., agentInstructions: { file: ../prompts/a.md } }
`.replace('target: { query: { targetAccountId: "1" } }\n', ''),
    'agents/misspelt.yaml': `${head}kind: Agent
name: misspelt
target: { query: { targetAccountId: "2" } }
settings: { title: "\${var.hours}", description: Answers. }
`,
    'agents/secret.yaml': `${head}kind: Agent
name: secret
target: { query: { targetAccountId: "3" } }
settings: { title: S, description: "The code is \${secret.CODE}." }
`,
    'agents/line.yaml': `${head}kind: PhoneNumber\nname: line\nagent: a\nsettings: { number: "+13125550142" }\n`,
    'agents/lost.yaml': `${head}kind: PhoneNumber\nname: lost\nagent: nobdy\nsettings: { number: "+13125550143" }\n`,
    'agents/clinic.yaml': `${head}kind: Organization\nname: clinic\nresellerId: "1"\nsettings: { orgName: Clinic, email: a@example.com }\n`,
    'agents/real/base.yaml': `${head}kind: Agent\nname: real\ntarget: { query: { targetAccountId: "4" } }\nsettings: { title: R, description: d }\n`,
    'agents/linked.yaml': `${head}kind: Agent\nname: linked\nextends: ./x/base.yaml\ntarget: { query: { targetAccountId: "5" } }\nsettings: { title: L }\n`,
    'agents/fleet.yaml': `${head}kind: Fleet\nname: dental\ntemplates: [../templates/agent.yaml]\nmembers: { file: ../clients.csv }\noverrides: "../overrides/\${var.name}.yaml"\n`,
    'templates/agent.yaml': `${head}kind: Agent\nsettings: { title: "\${var.brand}", description: "\${var.phone}" }\ntarget: { query: { targetAccountId: "\${var.account}" } }\n`,
    'clients.csv': 'name,brand,account,phone\nelm,Elm,11,1\noak,Oak,12,2\nfir,Fir,13,\n',
    'overrides/oak.yaml': `${head}kind: Agent\nsettings: { title: Oak Dental }\n`,
  },
  links: { 'agents/x': 'real' },
};

/** A folder that contains exactly the files written to it. */
export class Folder {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async make(): Promise<Folder> {
    return new Folder(await mkdtemp(join(tmpdir(), 'agentform-workspace-')));
  }

  async write({ files, links = {} }: Surroundings): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
    await mkdir(this.root);
    for (const [path, text] of Object.entries(files)) await this.add(path, text);
    for (const [path, target] of Object.entries(links)) await symlink(target, join(this.root, path));
  }

  async add(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.root, path)), { recursive: true });
    await writeFile(join(this.root, path), text);
  }

  remove(): Promise<void> {
    return rm(this.root, { recursive: true, force: true });
  }
}

/**
 * All facts that a run finds about a project, as one text. With a cache, all facts come from one loaded project.
 * Otherwise, the project is loaded again for each fact.
 */
export async function learnt(
  folder: Folder,
  env: Surroundings['env'],
  cache?: FactCache,
  /** Whether to query again with other allowed secrets, so that all facts are made again. */
  isLimited = false,
): Promise<string> {
  const only = cache && (await loadProject(folder.root, { cache }));
  // Loads a new project, so that no answer uses the facts of another project.
  const loading = async () => only ?? loadProject(folder.root);
  const { environments } = await loading();
  const secretless = { names: new Set(['TOKEN']), from: 'the test' };
  const found: unknown[] = [];
  for (const environment of environments) {
    for (const secrets of ['names', 'values'] as const) {
      const options = { environment, secrets, env, allowedSecrets: undefined };
      found.push(await allOf(await resolveProject(await loading(), options)));
      const select = (address: string) => address === 'Agent/a' || address === 'Agent/oak';
      found.push(await allOf(await resolveProject(await loading(), { ...options, select })));
      const limited = { ...options, allowedSecrets: secretless };
      if (isLimited) found.push(await allOf(await resolveProject(await loading(), limited)));
    }
  }
  const project = await loading();
  const { problems, resources, all } = await validateProject(project, { env, prompts: 'all' });
  const frames = problems.map(({ at }) => at && project.sourceOf(at.file));
  return JSON.stringify([found, problems, resources, all, frames], revealing);
}

async function allOf(resolution: Resolution) {
  const { selected, all, elsewhere, problems, secrets, secretNames, tests, policies } = resolution;
  const values = await Promise.all(
    selected.map(async (one) => {
      const address = addressOf(one);
      const desired = resolution.desiredOf(address);
      const path = parsePath('settings.title');
      return {
        ...{ one, desired, token: one.target.token.reveal(), sensitive: [...desired.sensitive] },
        sensitiveQuery: [...one.target.sensitiveQuery],
        declared: resolution.declaredOf(address),
        content: resolution.contentOf(address),
        outline: resolution.shownValuesOf(address),
        origin: resolution.originOf(address, '/settings/title'),
        source: resolution.sourceAt(address, path),
        value: resolution.sourceValueAt(address, path),
        variables: [...resolution.variablesAt(address, path)],
        provenance: resolution.provenanceOf(address, path),
        prompts: await resolution.promptProblemsAt(address, [parsePath('settings.agentInstructions')]),
      };
    }),
  );
  const names = { tests: tests.length, policies: policies.length, secretNames: [...secretNames].sort() };
  return { values, all, elsewhere, problems, names, secrets: secrets.map((one) => one.reveal()).sort() };
}

/** Sorts properties by name, because their order does not matter. */
function revealing(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
