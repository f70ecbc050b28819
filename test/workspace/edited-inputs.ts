import type { FactCache } from '../../src/manifest/project/load-project.ts';
import {
  type FactStores,
  type FileFacts,
  FoundFileFacts,
  factsInMemory,
  type Input,
  type InputKind,
} from '../../src/manifest/project/trace.ts';
import { everyInput, type Folder, learnt, type Surroundings } from './project.ts';

/** A cache that drops the inputs of a kind, as if no reader had noted these inputs. */
export function forgetting(kind: InputKind | undefined, name = ''): FactCache {
  const stores = factsInMemory();
  const forgetful: FactStores = (of) => {
    const store = stores(of);
    const kept = (inputs: readonly Input[] = []) =>
      inputs.filter(([one, about]) => one !== kind || !about.includes(name));
    const forgot = (facts: FileFacts) => {
      const { own, inputs, keys } = facts;
      const results = keys.map((key, index) => {
        return [key, { inputs: kept(facts.inputsOf(index)), value: facts.resultOf(index) }] as const;
      });
      return new FoundFileFacts(own === undefined ? undefined : { inputs: kept(inputs), value: own }, new Map(results));
    };
    return { ...bound(store), put: (path, facts, news) => store.put(path, forgot(facts), news) };
  };
  return { factsOf: () => forgetful };
}

function bound(store: ReturnType<FactStores>): ReturnType<FactStores> {
  return {
    get: (path) => store.get(path),
    put: (path, facts, news) => store.put(path, facts, news),
    fileWith: (path, signature) => store.fileWith(path, signature),
    keep: (files, paths) => store.keep(files, paths),
    release: () => store.release(),
  };
}

function inFile(path: string, from: string, to: string): Surroundings {
  const { files } = everyInput;
  return { ...everyInput, files: { ...files, [path]: (files[path] ?? '').replace(from, to) } };
}

function withFile(path: string, text: string): Surroundings {
  return { ...everyInput, files: { ...everyInput.files, [path]: text } };
}

/** Edits, each of which is visible in only one input. */
export const cases: readonly (readonly [kind: InputKind, name: string, edited: Surroundings])[] = [
  ['basis', '', inFile('agentform.yaml', 'prompt-markdown: warn', 'prompt-markdown: error')],
  ['text', 'agents/a.yaml', inFile('agents/a.yaml', 'title: A', 'title: B')],
  ['text', 'shared/base.yaml', inFile('shared/base.yaml', 'America/Los_Angeles', 'America/Chicago')],
  ['text', 'prompts/a.md', inFile('prompts/a.md', 'Answers', 'Calls')],
  ['text', 'templates/agent.yaml', inFile('templates/agent.yaml', 'phone', 'account')],
  ['text', 'overrides/oak.yaml', inFile('overrides/oak.yaml', 'Oak Dental', 'Oaks')],
  [
    'text',
    'agents/fleet.yaml',
    inFile('agents/fleet.yaml', 'name: dental\n', 'name: dental\nlabels: { tier: gold }\n'),
  ],
  ['text', 'clients.csv', inFile('clients.csv', 'fir,Fir,13,\n', 'fir,Fir,13,\nash,Ash,14,4\n')],
  ['exists', 'overrides/elm.yaml', withFile('overrides/elm.yaml', everyInput.files['overrides/oak.yaml'] ?? '')],
  ['exists', 'prompts/hours.md', withFile('prompts/hours.md', 'Nine to five.\n')],
  [
    'manifest',
    'agents/x/base.yaml',
    {
      ...withFile('elsewhere/base.yaml', everyInput.files['agents/real/base.yaml'] ?? ''),
      links: { 'agents/x': '../elsewhere' },
    },
  ],
  ['row', '', inFile('clients.csv', 'Elm,11', 'Elm,14')],
  ['row', 'table', inFile('clients.csv', 'oak,Oak,12,2', 'oak,Oak,12, ')],
  ['variable', 'street', { ...everyInput, env: { ...everyInput.env, AGENTFORM_VAR_street: 'Oak Street' } }],
  ['variables', '', { ...everyInput, env: { ...everyInput.env, AGENTFORM_VAR_hour: '1' } }],
  ['unit', 'Organization/clinic', inFile('agents/clinic.yaml', 'name: clinic\n', 'name: clinic\nonlyIn: [staging]\n')],
  ['units', '', inFile('agents/misspelt.yaml', 'name: misspelt', 'name: nobody')],
];

/** Returns the facts that a run finds after the edit, with a cache that was filled before the edit. */
export async function learntAfter(folder: Folder, edited: Surroundings, cache: FactCache): Promise<string> {
  await folder.write(everyInput);
  await learnt(folder, everyInput.env, cache);
  await folder.write(edited);
  return learnt(folder, edited.env, cache);
}
