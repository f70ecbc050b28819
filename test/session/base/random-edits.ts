import fc from 'fast-check';

/** The files of a project, by path. */
export type Files = Readonly<Record<string, string>>;

const project = `apiVersion: agentform/v1
kind: Project
manifests: ["agents/**/*.yaml", "numbers/*.yaml"]
defaultEnvironment: production
environments:
  staging:
    baseUrl: https://staging.example.com
    token: \${secret.STAGING_TOKEN}
    variables: { clinic: Elm Street, phone: "1", unused: x }
  production:
    baseUrl: https://service.example.com
    token: \${secret.TOKEN}
    variables: { clinic: Elm Street, phone: "2", unused: x }
`;

const base = `apiVersion: agentform/v1
kind: Agent
settings:
  timezone: America/Los_Angeles
  agentVoice: voice-0
  publicInstructions: { file: ../prompts/shared.md }
environments:
  staging:
    settings: { agentVoice: staging-0 }
`;

function manifest(name: string, rest: string): string {
  return `apiVersion: agentform/v1
kind: Agent
name: ${name}
${rest}target: { query: { targetAccountId: "${name.charCodeAt(0)}" } }
settings:
  title: Title ${name.toUpperCase()}
  description: Answers at \${var.clinic}.
  agentInstructions: { file: ../prompts/${name}.md }
`;
}

/**
 * Four agents, two with a base, one in an organization, and one limited to an environment. The first has a phone
 * number.
 */
export const startingFiles: Files = {
  'agentform.yaml': project,
  'shared/base.yaml': base,
  'agents/a.yaml': manifest('a', 'extends: ../shared/base.yaml\n'),
  'agents/b.yaml': manifest('b', 'extends: ../shared/base.yaml\n'),
  'agents/c.yaml': manifest('c', 'organization: clinic\n').replace('targetAccountId', 'other'),
  'agents/d.yaml': manifest('d', 'onlyIn: [staging]\n'),
  'numbers/line.yaml':
    'apiVersion: agentform/v1\nkind: PhoneNumber\nname: line\nagent: a\nsettings: { number: "+13125550142" }\n',
  'numbers/clinic.yaml':
    'apiVersion: agentform/v1\nkind: Organization\nname: clinic\nresellerId: "1"\nsettings: { orgName: Clinic, email: a@example.com }\n',
  'prompts/shared.md': 'House rules of ${var.clinic}.\n',
  ...Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`prompts/${name}.md`, `Prompt of ${name}.\n`])),
};

const changers = {
  title: (text: string, value: number) => text.replace(/title: .*/, `title: Title ${value}`),
  comment: (text: string, value: number) => `# ${value}\n${text}`,
  /** The same value in another notation. */
  literal: (text: string) => text.replace('${var.clinic}', 'Elm Street'),
  account: (text: string, value: number) => text.replace(/targetAccountId: "\d+"/, `targetAccountId: "9${value}"`),
  label: (text: string, value: number) =>
    text.replace(/\n(?:labels: .*\n)?(?=target)/, `\nlabels: { ring: r${value} }\n`),
  former: (text: string, value: number) => text.replace(/\n(?=target)/, `\nrenamedFrom: old-${value}\n`),
  overlay: (text: string, value: number) =>
    `${text}environments:\n  staging: { settings: { title: Staging ${value} } }\n`,
  limit: (text: string) => text.replace(/\n(?=target)/, '\nonlyIn: [production]\n'),
} as const;

type Change = (files: Files, index: number, value: number) => Files;

const onManifest =
  (change: (text: string, value: number) => string): Change =>
  (files, index, value) => {
    const path = manifestAt(files, index);
    const text = files[path] ?? '';
    const next = change(text, value);
    return isSound(next) ? { ...files, [path]: next } : files;
  };

/** A second overlay, a second former name or a second `onlyIn` would be an error. Another test covers such errors. */
function isSound(text: string): boolean {
  return ['\nrenamedFrom', '\nonlyIn', '\nenvironments:'].every((key) => text.split(key).length < 3);
}

const onFile =
  (path: string, change: (text: string, value: number) => string): Change =>
  (files, _, value) => ({ ...files, [path]: change(files[path] ?? '', value) });

const changes = {
  ...Object.fromEntries(Object.entries(changers).map(([name, change]) => [name, onManifest(change)])),
  prompt: (files, index, value) => {
    const name = ['a', 'b', 'c', 'd', 'shared'][index % 5];
    return { ...files, [`prompts/${name}.md`]: `Prompt ${value} of \${var.phone}.\n` };
  },
  base: onFile('shared/base.yaml', (text, value) => text.replace(/voice-\d+/, `voice-${value}`)),
  'base overlay': onFile('shared/base.yaml', (text, value) => text.replace(/staging-\d+/, `staging-${value}`)),
  variable: onFile('agentform.yaml', (text, value) => text.replaceAll(/clinic: [\w ]*/g, `clinic: Oak ${value}`)),
  'staging variable': onFile('agentform.yaml', (text, value) => text.replace(/phone: "\d+"/, `phone: "${value}0"`)),
  unused: onFile('agentform.yaml', (text, value) => text.replaceAll(/unused: \w+/g, `unused: y${value}`)),
  token: onFile('agentform.yaml', (text, value) => text.replace(/\{secret.TOKEN\d*\}/, `{secret.TOKEN${value}}`)),
  service: onFile('agentform.yaml', (text, value) => text.replace(/service\d*\.example/, `service${value}.example`)),
  limits: onFile('agentform.yaml', (text, value) => `${text.replace(/limits.*\n/, '')}limits: { creates: ${value} }\n`),
  delete: (files, index) => without(files, manifestAt(files, index)),
  move: (files, index) => {
    const path = manifestAt(files, index);
    const moved = `agents/x-${path.split('/').at(-1)}`;
    return path.startsWith('agents/') ? { ...without(files, path), [moved]: files[path] ?? '' } : files;
  },
  rename: (files, index, value) => {
    const path = manifestAt(files, index);
    const name = /name: (.*)/.exec(files[path] ?? '')?.[1] ?? '';
    const text = (files[path] ?? '').replace(/name: .*/, `name: ${name}${value}\nrenamedFrom: ${name}`);
    // Without this agent, the phone number would have no owner.
    return name === 'a' || !isSound(text) ? files : { ...files, [path]: text };
  },
  add: (files, _, value) => ({
    ...files,
    [`agents/new-${value}.yaml`]: manifest(`new-${value}`, '').replace(/ {2}agentInstructions.*\n/, ''),
  }),
} satisfies Record<string, Change>;

/** The agent of the phone number always stays. */
function manifestAt(files: Files, index: number): string {
  const paths = Object.keys(files).filter((path) => /^(agents|numbers)\//.test(path));
  return paths[index % paths.length] ?? '';
}

function without(files: Files, path: string): Files {
  if (/name: a$/m.test(files[path] ?? '')) return files;
  return Object.fromEntries(Object.entries(files).filter(([one]) => one !== path));
}

/** A random edit of a project: of the manifest at an index, or of another file. */
export interface Edit {
  readonly op: string;
  readonly index: number;
  readonly value: number;
}

export const edits: fc.Arbitrary<Edit> = fc.record({
  op: fc.constantFrom(...Object.keys(changes)),
  index: fc.nat(20),
  value: fc.integer({ min: 1, max: 4 }),
});

export function edited(files: Files, { op, index, value }: Edit): Files {
  const change = new Map<string, Change>(Object.entries(changes)).get(op);
  return change?.(files, index, value) ?? files;
}
