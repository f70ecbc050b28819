import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { workflowFor } from '../../../src/commands/init/starter-texts.ts';

const template = `# Plans on pull requests.
name: plan
on:
  pull_request:
    branches: [main] # trusted

permissions:
  contents: write # for the records

jobs:
  plan:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5 # the manifests
      - uses: someone/agentform@v1
        with:
          environment: production
          allowed-hosts: service.example.com
        env:
          AGENT_TOKEN: \${{ secrets.AGENT_TOKEN }}
      - uses: someone/agentform@v1
`;

describe('a starter workflow', () => {
  test('A starter workflow at the top of its repository is the unchanged example.', () => {
    expect(workflowFor(template, { folder: '', branch: 'main', host: undefined })).toBe(template);
  });

  test('A starter workflow in a subfolder names the folder in every step of the action, and is otherwise unchanged.', () => {
    const made = workflowFor(template, { folder: 'deploy/agents', branch: 'main', host: 'api.example.org' });
    const undone = made
      .replaceAll(/\n +with:\n +project: deploy\/agents(?=\n$)|\n +project: deploy\/agents/g, '')
      .replace('api.example.org', 'service.example.com');
    expect(undone).toBe(template);
    expect(parse(made).jobs.plan.steps).toEqual([
      { uses: 'actions/checkout@v5' },
      {
        uses: 'someone/agentform@v1',
        with: { environment: 'production', 'allowed-hosts': 'api.example.org', project: 'deploy/agents' },
        env: { AGENT_TOKEN: '${{ secrets.AGENT_TOKEN }}' },
      },
      { uses: 'someone/agentform@v1', with: { project: 'deploy/agents' } },
    ]);
  });

  test.each([
    ['master', 'branches: [master] # trusted', 'master'],
    ['release/1.x', 'branches: [release/1.x] # trusted', 'release/1.x'],
    ['c++', 'branches: [c\\+\\+] # trusted', 'c\\+\\+'],
    ['#1, a', 'branches: ["#1, a"] # trusted', '#1, a'],
  ])('A starter workflow names the branch %s of its repository.', (branch, line, name) => {
    const made = workflowFor(template, { folder: '', branch, host: undefined });
    expect(made).toContain(line);
    expect(parse(made).on.pull_request.branches).toEqual([name]);
  });
});
