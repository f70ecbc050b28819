// Realistic projects of invented agents: a shared base, prompts as files, and an account for each agent.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns the token of one reseller for all agents of a project. Each project therefore has separate accounts. */
export function token(name) {
  return `tok-of-${name}`;
}

/** Returns the environment for a run of the CLI on these projects. */
export function env(name) {
  return { BENCH_TOKEN: token(name) };
}

const folders = [];

export async function removeProjects() {
  for (const folder of folders) await rm(folder, { recursive: true });
}

/** Creates one manifest of a dozen lines, without includes. */
export function oneManifest() {
  return write('one', { 'agentform.yaml': projectFile('http://127.0.0.1:9'), 'agents/front-desk.yaml': single });
}

/** Creates the same manifest, with a regex that must be proven safe. */
export function oneManifestWithRegex() {
  const manifest = `${single}transferRules:\n  cnamAutoRejectRegex: ^(spam|scam).*call$\n`;
  return write('regex', { 'agentform.yaml': projectFile('http://127.0.0.1:9'), 'agents/front-desk.yaml': manifest });
}

/** Creates agents with half a dozen settings each, in manifests of a dozen lines without includes. */
export function smallAgents(count, baseUrl) {
  return write('small', { 'agentform.yaml': projectFile(baseUrl), ...manifests(count, smallManifest) });
}

/**
 * Creates agents with about thirty settings each, in manifests of about 25 lines. Half of the settings come from a
 * base.
 */
export function agents(count, baseUrl) {
  return write('agents', { ...shared(baseUrl), ...manifests(count, agentManifest), ...prompts(count) });
}

/** Changes the voice, the title and a line in the prompt of every agent of a project. */
export async function edited(folder) {
  await edit(join(folder, 'shared/base.yaml'), 'agentVoice: warm-1', 'agentVoice: calm-1');
  for (const name of await readdir(join(folder, 'agents'))) {
    await edit(join(folder, 'agents', name), 'title: Front desk', 'title: Reception');
    await edit(join(folder, 'prompts', name.replace('.yaml', '.md')), 'Step 7: ask', 'Step 7: ask twice');
  }
}

async function edit(path, from, to) {
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace(from, to));
}

/** Typical rules. No agent breaks these rules. */
const rules = [
  'desired.settings.title.size() > 200',
  'has(desired.settings.agentInstructions) && desired.settings.agentInstructions.contains("+1 555")',
  'has(desired.settings.agentLang) && !(desired.settings.agentLang in ["en-US", "es-US", "es-MX", "es-ES", "multi"])',
  'change.knowledge == "blind" && change.path.startsWith("transferRules.") && desired.name.startsWith("emergency")',
  'resource.action == "forget" && desired.name == "front-desk"',
];

/** Adds a project file with this number of policies, beside the project file without policies. */
export async function withPolicies(folder, count) {
  await mkdir(join(folder, 'policies'));
  for (let index = 0; index < count; index++) {
    const head = `apiVersion: agentform/v1\nkind: Policy\nname: policy-${index}\nmatch: { kinds: [Agent] }\n`;
    const rule = `rules:\n  - deny: ${JSON.stringify(rules[index % rules.length])}\n    message: Rule ${index} is broken.\n`;
    await writeFile(join(folder, 'policies', `policy-${index}.yaml`), head + rule);
  }
  const text = await readFile(join(folder, 'agentform.yaml'), 'utf8');
  const judged = join(folder, 'judged.yaml');
  await writeFile(judged, text.replace('["agents/*.yaml"]', '["agents/*.yaml", "policies/*.yaml"]'));
  return judged;
}

/** Creates manifests of about 100 lines, with inline texts and eighteen skills. */
export function longManifests(count) {
  return write('manifests', { ...shared('http://127.0.0.1:9'), ...manifests(count, longManifest), ...prompts(count) });
}

/** Creates a fleet of this size, with a table of six columns. */
export function fleet(count, baseUrl = 'http://127.0.0.1:9') {
  const rows = Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    return `client-${number},${number},Front desk ${number},"Clinic ${number}, Elm Street",Town ${number},+${14152000000 + index}\n`;
  });
  return write('fleet', {
    'agentform.yaml': projectFile(baseUrl),
    'agents/clients.yaml': clients,
    'shared/template.yaml': template,
    'prompts/house-rules.md': prompt('House rules', 30),
    'tables/clients.csv': `name,account,title,clinic_name,town,line\n${rows.join('')}`,
  });
}

const clients = `apiVersion: agentform/v1
kind: Fleet
name: clients
templates: [../shared/template.yaml]
members: { file: ../tables/clients.csv }
`;

const template = `apiVersion: agentform/v1
kind: Agent
target: { query: { targetAccountId: "\${var.account}" } }
settings:
  title: \${var.title}
  description: Answers the phone at \${var.clinic_name} in \${var.town} and books appointments.
  timezone: America/Los_Angeles
  agentLang: en-US
  welcomeMessage: Thank you for calling \${var.clinic_name}. Our other number is \${var.line}.
  agentInstructions: { file: ../prompts/house-rules.md }
environments:
  staging:
    target: { query: { targetAccountId: "9\${var.account}" } }
`;

function shared(baseUrl) {
  return {
    'agentform.yaml': projectFile(baseUrl),
    'shared/base.yaml': base,
    'prompts/house-rules.md': prompt('House rules', 30, 'These rules hold for every call.'),
    'prompts/calendar.md': prompt('Calendar', 10, 'The calendar has all appointments.'),
  };
}

function manifests(count, textOf) {
  const names = namesOf(count);
  return Object.fromEntries(names.map((name, index) => [`agents/${name}.yaml`, textOf(name, index)]));
}

function prompts(count) {
  return Object.fromEntries(
    namesOf(count).map((name) => [`prompts/${name}.md`, prompt(`Agent ${name} of \${var.clinic}`, 40)]),
  );
}

function namesOf(count) {
  return Array.from({ length: count }, (_, index) => `agent-${String(index + 1).padStart(4, '0')}`);
}

function projectFile(baseUrl) {
  return `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
defaultEnvironment: production
environments:
  staging:
    baseUrl: ${baseUrl}
    token: \${secret.BENCH_STAGING_TOKEN}
    variables: { clinic: Elm Street Dental (staging), phone: "+1 415 555 0199" }
  production:
    baseUrl: ${baseUrl}
    token: \${secret.BENCH_TOKEN}
    variables: { clinic: Elm Street Dental, phone: "+1 415 555 0100" }
`;
}

const single = `apiVersion: agentform/v1
kind: Agent
name: front-desk
settings:
  title: Front desk
  description: Answers the phone and books appointments.
  timezone: America/Los_Angeles
  agentLang: en-US
  welcomeMessage: Thank you for calling Elm Street Dental. How can I help you today?
  agentInstructions: |
    Greet the caller and ask what it is about.
    Book, move or cancel appointments with the calendar.
skills:
  - { slug: calendar, instructions: Book appointments of 30 minutes. }
`;

const base = `apiVersion: agentform/v1
kind: Agent
settings:
  timezone: America/Los_Angeles
  agentLang: en-US
  agentVoice: warm-1
  agentModel: standard-2
  publicInstructions: { file: ../prompts/house-rules.md }
  autoRecordingNotification: always
  recordingNotificationPhrase: This call is recorded so that we can help you better.
  callerResponseTimeout: 15
  interruptionWordCount: 2
  speakingTimeout: 900
transferRules:
  confirmTransfers: true
  cnamAutoRejectRegex: "[Ss]pam|[Ss]cam"
environments:
  staging:
    settings: { agentVoice: test-1, noConvoHistory: true }
`;

function smallManifest(name, index) {
  return `apiVersion: agentform/v1
kind: Agent
name: ${name}
target: { query: { targetAccountId: "${index + 1}" } }
settings:
  title: Front desk ${index + 1}
  description: Answers the phone at \${var.clinic} and books appointments.
  timezone: America/Los_Angeles
  agentLang: en-US
  agentVoice: warm-1
  welcomeMessage: Thank you for calling \${var.clinic}. How can I help you today?
  agentInstructions: Greet the caller, ask what it is about, and book an appointment with the calendar.
`;
}

function agentManifest(name, index) {
  const skills = `  - { slug: calendar, instructions: { file: ../prompts/calendar.md } }
  - { slug: messages, instructions: "Write down name, phone number, and what hurts since when." }
`;
  return manifest(name, index, { settings: '', skills });
}

function longManifest(name, index) {
  const skills = Array.from(
    { length: 18 },
    (_, skill) => `  - slug: skill-${skill + 1}
    instructions: "Use it for matters of room ${index + skill}, and say when you did."
`,
  );
  return `# The agent of room ${index + 1}.\n${manifest(name, index, { settings: moreSettings(index), skills: skills.join('') })}`;
}

function manifest(name, index, { settings, skills }) {
  return `apiVersion: agentform/v1
kind: Agent
name: ${name}
extends: ../shared/base.yaml
target: { query: { targetAccountId: "${index + 1}" } }
settings:
  title: Front desk ${index + 1}
  description: Answers the phone at \${var.clinic} and books appointments.
  welcomeMessage: Thank you for calling \${var.clinic}. How can I help you today?
  agentInstructions: { file: ../prompts/${name}.md }
  preAnswerRingTime: 6
${settings}  links:
    - https://www.example.com/opening-hours/${index + 1}
    - https://www.example.com/insurance
  actions: [bookAppointment, takeMessage]
skills:
${skills}apps:
  - { appId: squareUp, version: v1, instructions: Take bookings and deposits. }
backgroundAudio: { url: https://cdn.example.com/office.mp3, gain: -6, track: bg }
environments:
  staging:
    settings: { title: Front desk ${index + 1} (staging) }
    target: { query: { targetAccountId: "9${index + 1}" } }
`;
}

function moreSettings(index) {
  return `  adminInstructions: |
    These are the instructions for whoever looks after room ${index + 1}.

    - Say what you changed, and why.
    - Ask before anything is cancelled.
    - Never read out a phone number of a patient.
    - Hand over to \${var.phone} when you are not sure.
  heartbeatInstructions: >
    Look whether a message has been waiting for more than an hour,
    and if so tell the dentist who is on call.
  heartbeatEvery: 30m
  agentThinking: low
  # Patients are often slow to answer.
  waitOnAnswer: 2
  interruptionMinimumSpeakingTime: 2
  speechProcessingDelay: 600
  speechProcessingDelayInterruptionStep: 400
  speechProcessingDelayMaxMultiplier: 3
  callerResponseTimeoutHangupCounter: 4
  agentSttEngine: stt_b
  agentSttSmartFormatting: true
  noContactInjection: false
`;
}

/**
 * Makes a prompt. The prompts of an agent begin differently, because a rule that two texts of an agent share is a
 * warning.
 */
function prompt(title, lines, opening = 'You answer the phone during opening hours.') {
  const rules = Array.from(
    { length: lines },
    (_, line) => `${line + 1}. Step ${line + 1}: ask, listen, and write down.`,
  );
  return `# ${title}\n\n${opening}\n\n${rules.join('\n')}\n`;
}

/**
 * Creates agents with a prompt of 20 KB each, made from the corpus. Also creates the same project without prompt
 * checks.
 */
export async function longPrompts(count) {
  const texts = await corpusTexts();
  const files = {};
  for (const [index, name] of namesOf(count).entries()) {
    files[`prompts/${name}.md`] = longPrompt(texts, index);
    files[`agents/${name}.yaml`] =
      `apiVersion: agentform/v1\nkind: Agent\nname: ${name}\ntarget: { query: { targetAccountId: "${index + 1}" } }\n` +
      `settings:\n  title: Desk ${index + 1}\n  description: d\n  agentLang: en-US\n  agentInstructions: { file: ../prompts/${name}.md }\n` +
      'skills: [{ slug: calendar, instructions: Book appointments. }]\n';
  }
  const project = projectFile('http://127.0.0.1:9');
  const off = [...(await promptRules())].map((rule) => `  ${rule}: off\n`).join('');
  return {
    all: await write('prompts', { ...files, 'agentform.yaml': project }),
    off: await write('no-checks', { ...files, 'agentform.yaml': `${project}lint:\n${off}` }),
  };
}

/**
 * Returns the names of the prompt rules. They come from the reference page, which is generated from the program's list.
 */
async function promptRules() {
  const page = await readFile(new URL('../docs/reference/rules.md', import.meta.url), 'utf8');
  return new Set(page.match(/\bprompt-[a-z-]+(?=`)/g));
}

async function corpusTexts() {
  const folder = new URL('../test/prompts/corpus/', import.meta.url);
  const files = ['clean-1.txt', 'clean-2.txt'].map((name) => readFile(new URL(name, folder), 'utf8'));
  const texts = (await Promise.all(files)).flatMap((text) => text.split(/^=== .*\n/m).slice(1));
  return texts.map((text) => text.replaceAll('$', ''));
}

function longPrompt(texts, index) {
  let text = '';
  for (let part = index * 7; text.length < 20_000; part += 1) {
    text += `# Part ${part}\n\n${texts[part % texts.length].replace(/^#/gm, '##')}\nNote ${index} of part ${part}.\n\n`;
  }
  return text;
}

async function write(name, files) {
  const folder = await mkdtemp(join(tmpdir(), `agentform-bench-${name}-`));
  folders.push(folder);
  const below = new Set(Object.keys(files).map((path) => join(folder, path, '..')));
  for (const one of below) await mkdir(one, { recursive: true });
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  return folder;
}
