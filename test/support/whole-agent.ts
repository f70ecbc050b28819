import { fieldsByKind } from '../../src/schemas/fields.ts';
import { agentManifest } from './remote.ts';

/** The values of one setting in three versions. Most settings differ in each version. */
type Versions = readonly [unknown, unknown, unknown];

const special: Readonly<Record<string, Versions>> = {
  type: ['chatAgent', 'chatAgent', 'chatAgent'],
  links: [['https://a.example/x', 'https://same.example/'], ['https://b.example/x'], ['https://same.example/']],
  actions: [['transferCall'], ['transferCall', 'endCall'], ['endCall']],
  timezone: ['UTC', 'Europe/Berlin', 'Asia/Tokyo'],
  agentLang: ['en-US', 'es-MX', 'es-ES'],
  agentThinking: ['low', 'low', null],
  agentS2SEngine: ['s2s_a', 's2s_b', null],
  agentSttEngine: ['stt_a', 'stt_b', 'stt_c'],
  autoRecordingNotification: ['always', 'true', 'false'],
  heartbeatEvery: ['10m', '20m', '30m'],
  skills: [
    [skill('zeta', 'A'), skill('alpha', 'A')],
    [skill('zeta', 'B'), skill('alpha', 'A'), skill('new', 'B')],
    [skill('zeta', 'C')],
  ],
  apps: [[app('squareUp', 'A')], [app('squareUp', 'B'), app('other', 'B')], [app('other', 'C')]],
  backgroundAudio: [
    { url: 'https://cdn.example/a.mp3', loop: true, startAfterGreeting: false, gain: -6, track: 'bg' },
    { url: 'https://cdn.example/b.mp3', loop: false, startAfterGreeting: true, gain: -7, track: 'bg' },
    { url: 'https://cdn.example/c.mp3', loop: true, startAfterGreeting: true, gain: -8, track: 'bg' },
  ],
};

function skill(slug: string, version: string) {
  return { slug, instructions: `Use ${slug} as in ${version}.` };
}

function app(appId: string, version: string) {
  return { appId, version: 'v1', instructions: `Use ${appId} as in ${version}.` };
}

/** Returns a manifest with all 49 settings, in version 0, 1 or 2. */
export function wholeAgent(name: string, version: 0 | 1 | 2): string {
  const sections: Record<string, unknown> = {};
  for (const field of fieldsByKind.Agent) {
    const value = special[field.name]?.[version] ?? (field.name in special ? null : plainValue(field, version));
    if (field.isSection) sections[field.section] = value;
    else sections[field.section] = { ...Object(sections[field.section]), [field.name]: value };
  }
  const lines = Object.entries(sections).map(([section, value]) => `${section}: ${JSON.stringify(value)}\n`);
  return agentManifest(name, lines.join(''));
}

function plainValue({ name, types, textForm }: (typeof fieldsByKind.Agent)[number], version: number): unknown {
  if (types.includes('boolean')) return version < 2;
  if (types.includes('integer')) return (name === 'cnamAutoRejectCode' ? 600 : 5) + version;
  if (textForm === 'destination') return `ext:10${version}`;
  if (textForm?.endsWith('regex')) return `^${version}`;
  return `${name} in version ${version}`;
}
