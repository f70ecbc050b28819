import { PromptChecks } from '../../src/prompts/prompt-checks.ts';
import { parseYaml } from '../../src/yaml/parse-yaml.ts';
import type { Problem } from '../../src/yaml/problem.ts';
import { SourceFile } from '../../src/yaml/source-file.ts';

export interface ExampleOptions {
  readonly role?: 'spoken' | 'instructs' | undefined;
  /** The limit of `prompt-length`. */
  readonly max?: number | undefined;
  readonly lang?: string;
}

const shared = new Map<string, PromptChecks>();

/** The problems in a text of an agent with the skill `calendar`, the app `squareUp` and the action `transferCall`. */
export async function problemsIn(text: string, { role, max, lang = 'en-US' }: ExampleOptions = {}): Promise<Problem[]> {
  const setting = role === 'spoken' ? 'welcomeMessage' : 'agentInstructions';
  const agent = {
    settings: { title: 'Desk', agentLang: lang, actions: ['transferCall'], [setting]: text },
    skills: [{ slug: 'calendar', instructions: 'Look for free times.' }],
    apps: [{ appId: 'squareUp', version: 'v1', instructions: 'Take bookings.' }],
    transferRules: { cnamAutoTransferDestination: '+14155550142' },
  };
  const source = new SourceFile('agents/desk.yaml', JSON.stringify(agent));
  const { root } = parseYaml(source);
  if (root?.type !== 'map') throw new Error('no map');
  const key = `${max}`;
  const maxima: Record<string, number> = max === undefined ? {} : { 'prompt-length': max };
  const checks = shared.get(key) ?? new PromptChecks({ lint: {}, maxima, wanted: 'all' });
  shared.set(key, checks);
  const beside = { variable: () => undefined, source: () => source, hasFile: () => false };
  return checks.problems({ kind: 'Agent', tree: root, ...beside });
}

export async function rulesFoundIn(text: string, options?: ExampleOptions): Promise<string[]> {
  return (await problemsIn(text, options)).map(({ rule }) => rule);
}
