import { stringify } from 'yaml';
import { escapeText } from '../manifest/index.ts';

/** What the files of a new project say, checked. */
export interface StarterFacts {
  /** Name of the agent. */
  readonly name: string;
  readonly title: string;
  /** Base URL of the environment production; without one it is left as a comment. */
  readonly baseUrl: string | undefined;
  readonly record: 'file' | 'git';
}

/** Where the schemas stand in a project, so that editors find them with and without an installed agentform. */
export const schemaFolder = '.agentform/schemas';

export function projectText({ baseUrl, record }: StarterFacts): string {
  const isComment = baseUrl === undefined;
  const lines = [
    '  production:',
    `    baseUrl: ${scalar(baseUrl ?? 'https://service.example.com')}`,
    '    token: ${secret.AGENT_TOKEN} # the process variable AGENT_TOKEN; a token is never written here',
  ];
  return `# yaml-language-server: $schema=${schemaFolder}/project.schema.json
apiVersion: agentform/v1
kind: Project
manifests: ["agents/**/*.yaml"]
defaultEnvironment: local
record: ${record === 'git' ? '{ store: git, branch: agentform-records }' : '{ store: file }'}
environments:
  # The embedded emulator: needs no account, no network and no token.
  local: { baseUrl: emulator }
${lines.map((line) => (isComment ? line.replace(/^ {2}/, '  # ') : line)).join('\n')}
`;
}

export function agentText({ name, title }: StarterFacts): string {
  return `# yaml-language-server: $schema=../${schemaFolder}/manifest.schema.json
apiVersion: agentform/v1
kind: Agent
name: ${scalar(name)}
settings:
  title: ${scalar(escapeText(title))}
  description: Answers calls and messages.
  agentInstructions: { file: ../prompts/${name}.md }
  agentLang: en-US
# An agent that exists is named by its id; without one, the first apply creates an agent.
# environments:
#   production:
#     target: { agentId: camp_1 }
`;
}

export function promptText({ title }: StarterFacts): string {
  return `You are ${escapeText(title)}. You answer calls and messages.

## How you talk

- Greet people politely and ask how you can help.
- Be brief: one question at a time.
- If you do not know something, say so, and offer to take a message.

## What you know

- Write here what callers ask for: opening hours, prices, how to find you.
`;
}

/** What belongs to this machine. Records of other environments are not in it: they are committed. */
export const ignoredPaths: readonly string[] = [
  '.agentform/emulator.json',
  '.agentform/emulator.key',
  '.agentform/locks/',
  '.agentform/uploads/',
  '.agentform/records/local/',
  'plan.json',
  '*.plan.json',
];

export function gitIgnoreText(): string {
  return `# agentform: the emulator's data and records, locks, and saved plans stay on this machine; other records are committed.
${ignoredPaths.join('\n')}
`;
}

/** For editors with the YAML language server; files with the comment in their first line need no settings. */
export function editorSettingsText(): string {
  const settings = {
    'yaml.schemas': {
      [`./${schemaFolder}/project.schema.json`]: 'agentform.yaml',
      [`./${schemaFolder}/manifest.schema.json`]: ['agents/**/*.yaml', 'shared/**/*.yaml'],
    },
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}

/** A text as a YAML value on one line, quoted where it has to be. */
function scalar(text: string): string {
  return stringify(text, { lineWidth: 0 }).trimEnd();
}
