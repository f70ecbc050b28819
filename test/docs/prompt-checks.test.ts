import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { PathMap } from '../../src/kinds/path-map.ts';
import { shrunkPrompts } from '../../src/plan/verdicts/shrunk-prompts.ts';
import { lintRules } from '../../src/yaml/rules.ts';
import { rulesFoundIn } from '../prompts/example-agent.ts';

const page = readFileSync(new URL('../../docs/prompt-checks.md', import.meta.url), 'utf8');

interface Example {
  readonly rule: string;
  readonly kind: 'bad' | 'good';
  readonly role: 'spoken' | 'instructs';
  readonly text: string;
}

const examples = page.split('\n### ').slice(1).flatMap(examplesIn);

function examplesIn(section: string): Example[] {
  const rule = /^`([\w-]+)`/.exec(section)?.[1] ?? '';
  return [...section.matchAll(/```markdown (bad|good)( spoken)?\n([\s\S]*?)```/g)].map(
    ([, kind, spoken, text = '']) => ({
      rule,
      kind: kind === 'bad' ? 'bad' : 'good',
      role: spoken === undefined ? 'instructs' : 'spoken',
      text,
    }),
  );
}

test('Every prompt check has a bad and a good text.', () => {
  const rules = lintRules.map(({ name }) => name).filter((name) => name.startsWith('prompt-'));
  const pairs = rules.flatMap((rule) => [`${rule} bad`, `${rule} good`]);
  expect(examples.map(({ rule, kind }) => `${rule} ${kind}`).sort()).toEqual(pairs.sort());
});

describe('examples of prompt checks', () => {
  const isOfPlans = ({ rule }: Example) => rule === 'prompt-shrunk';

  test('The prompt check of changes finds the bad text but not the good one.', () => {
    const [bad, good] = examples.filter(isOfPlans);
    const change = { op: 'set', path: 'settings.agentInstructions', cause: 'manifest', knowledge: 'compared' } as const;
    const path = ['settings', 'agentInstructions'];
    const said = (to = '') =>
      shrunkPrompts({ kind: 'Agent', byPath: new PathMap() }, [
        { path, change: { ...change, from: good?.text ?? '', to } },
      ]);
    expect(said(bad?.text)).toHaveLength(1);
    expect(said(good?.text)).toEqual([]);
  });

  test.each(examples.filter((one) => !isOfPlans(one)))(
    'The prompt check $rule gives the right result for the $kind text.',
    async ({ rule, kind, role, text }) => {
      const max = rule === 'prompt-length' ? 80 : undefined;
      expect(await rulesFoundIn(text, { role, max })).toEqual(kind === 'bad' ? expect.arrayContaining([rule]) : []);
      if (kind === 'bad') expect(new Set(await rulesFoundIn(text, { role, max }))).toEqual(new Set([rule]));
    },
  );
});
