import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { workflowFor } from '../../src/reconcile/starter-workflows.ts';

const template = `# Plans on pull requests.
name: plan
on:
  pull_request:

permissions: { contents: read }

jobs:
  plan:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5 # the manifests
      - uses: someone/agentform@v1
        with:
          environment: production
        env:
          AGENT_TOKEN: \${{ secrets.AGENT_TOKEN }}
      - uses: someone/agentform@v1
`;

describe('a workflow for a project', () => {
  test('at the top of its repository is the example as it is', () => {
    expect(workflowFor(template, '')).toBe(template);
  });

  test('in a folder names the folder in every step of the action, and nothing else changes', () => {
    const made = workflowFor(template, 'deploy/agents');
    expect(made.replaceAll(/\n +with:\n +project: deploy\/agents(?=\n$)|\n +project: deploy\/agents/g, '')).toBe(
      template,
    );
    expect(parse(made).jobs.plan.steps).toEqual([
      { uses: 'actions/checkout@v5' },
      {
        uses: 'someone/agentform@v1',
        with: { environment: 'production', project: 'deploy/agents' },
        env: { AGENT_TOKEN: '${{ secrets.AGENT_TOKEN }}' },
      },
      { uses: 'someone/agentform@v1', with: { project: 'deploy/agents' } },
    ]);
  });
});
