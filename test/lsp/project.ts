import { LspClient } from '../support/lsp-client.ts';
import { Folder, type Surroundings } from '../workspace/project.ts';

const head = 'apiVersion: agentform/v1\n';

/** A project with every type of reference. */
export const sample = {
  'agentform.yaml': `${head}kind: Project
manifests: ["agents/*.yaml"]
environments:
  staging: { baseUrl: emulator, variables: { clinic: Test clinic } }
  production:
    baseUrl: emulator
    variables:
      clinic: Elm Street
lint: { blank-title: warn }
`,
  'shared/root.yaml': `${head}kind: Agent\nsettings: { timezone: America/Chicago }\n`,
  'shared/base.yaml': `${head}kind: Agent
extends: root.yaml
settings:
  agentInstructions: { file: ../prompts/a.md }
`,
  'prompts/a.md': 'Answer for ${var.clinic}.\nBe brief.\n',
  'agents/a.yaml': `${head}kind: Agent
name: a
extends: ../shared/base.yaml
labels: { team: north }
target: { query: { account: "1" }, token: "\${secret.TOKENS[var.account]}" }
variables: { account: one }
settings:
  title: Front desk of \${var.clinic}
  description: Answers.
  waitOnAnswer: 100
`,
  'agents/b.yaml': `${head}kind: Agent
name: b
extends: ../shared/base.yaml
target: { query: { account: "2" } }
settings: { title: B, description: d }
`,
  'agents/line.yaml': `${head}kind: PhoneNumber\nname: line\nagent: a\nsettings: { number: "+13125550142" }\n`,
  'agents/calls.yaml': `${head}kind: Test\nname: calls\nagents: [a]\ncases:\n  - { name: t, expect: { settings: { timezone: America/Chicago } } }\n`,
  'agents/fleet.yaml': `${head}kind: Fleet\nname: dental\ntemplates: [../templates/agent.yaml]\nmembers: { file: ../clients.csv }\n`,
  'templates/agent.yaml': `${head}kind: Agent\nextends: ../shared/root.yaml\nsettings: { title: "\${var.brand}", description: d }\ntarget: { query: { account: "\${var.name}" } }\n`,
  'clients.csv': 'name,brand\nelm,Elm\noak,Oak\nfir,Fir\n',
} as const;

export type SamplePath = keyof typeof sample;

/** Opens the project in a new folder, with a client. */
export async function openSample(
  files: Surroundings['files'] = sample,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly folder: Folder; readonly client: LspClient }> {
  const folder = await Folder.make();
  await folder.write({ env: {}, files });
  const client = await LspClient.inProcess(folder.root, env);
  await client.settled();
  return { folder, client };
}

/** A project with a list of members, override files, overlays, and references between environments. */
export const listSample = {
  'agentform.yaml': `${head}kind: Project
manifests: ["agents/*.yaml"]
defaultEnvironment: staging
environments:
  staging: { baseUrl: emulator, variables: { clinic: Test clinic } }
  production: { baseUrl: emulator, variables: { clinic: Elm Street }, requires: { environment: staging } }
removed: [Agent/old]
`,
  'agents/list.yaml': `${head}kind: Fleet
name: dental
templates: [../templates/agent.yaml]
overrides: "../overrides/\${var.name}.yaml"
members:
  - { name: elm, brand: Elm, renamedFrom: ash }
  - { name: oak, brand: Oak }
  - name: fir # The first.
    brand: Fir
`,
  'templates/agent.yaml': `${head}kind: Agent
settings: { title: "\${var.brand}", description: d }
skills: [{ slug: calendar, instructions: "Ask \${var.brand}." }]
target: { query: { account: "\${var.name}" } }
`,
  'overrides/oak.yaml': `${head}kind: Agent\nsettings: { timezone: America/Chicago }\n`,
  'agents/a.yaml': `${head}kind: Agent
name: a
renamedFrom:
  - y
  - z
onlyIn: [production]
target: { query: { account: "1" } }
environments: { production: { settings: { title: "\${var.clinic}" } } }
settings: { description: d }
skills:
  - slug: calendar
    instructions: Ask for a day.
`,
  'agents/line.yaml': `${head}kind: PhoneNumber\nname: line\nagent: oak\nsettings: { number: "+13125550142" }\n`,
} as const;
