import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Creates a project with enough manifests for a cache. The manifests contain different settings, and some have
 * problems. Returns the folder.
 */
export async function manyManifests(count = 60): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'agentform-many-'));
  const names = Array.from({ length: count }, (_, index) => `agent-${index}`);
  const files = {
    'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
environments:
  production: { baseUrl: "https://service.example.com", token: "\${secret.TOKEN}" }
  staging: { baseUrl: "https://staging.example.com", token: "\${secret.STAGING}" }
`,
    'shared/base.yaml': 'apiVersion: agentform/v1\nkind: Agent\nsettings: { timezone: America/Los_Angeles }\n',
    ...Object.fromEntries(names.map((name, index) => [`agents/${name}.yaml`, manifest(name, index)])),
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

const rests = [
  'skills: &skills [{ slug: calendar, instructions: Book. }]\n',
  'skills:\n  - slug: calendar\n    instructions: |\n      Book.\n      Or not — 中文 😀 "\\ud800".\n',
  'extends: ../shared/base.yaml\nenvironments: { production: { settings: { title: Overlaid } } }\n',
  'extraSettings: { big: 12345678901234567890, nothing: null, float: 1.5e3, octal: 0012, deep: [[{ a: [] }]] }\n',
  'extraSettings: { small: -0, endless: .inf }\n',
  'onlyIn: [staging]\n',
  'setings: {}\n',
  'target: { token: "hunter2-hunter2" }\n',
  'settings: *nothing\n',
  'extraSettings: { note: "api_key: abcdefghij" }\n',
];

function manifest(name: string, index: number): string {
  return `apiVersion: agentform/v1
kind: Agent
name: ${name}
${index % 10 === 7 ? '' : `target: { query: { targetAccountId: "${index}" } }\n`}settings:
  title: "Desk ${index}"
  description: Answers.
  links: [https://example.com/${index}]
${rests[index % rests.length]}`;
}
