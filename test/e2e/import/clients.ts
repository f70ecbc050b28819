import { type TestProject, testProject } from '../../support/cli.ts';
import type { IndependentServer } from '../../support/independent-server.ts';

/** Creates a project with a table of clients, and an agent for each client on the server. */
export function clientsProject(server: IndependentServer, count: number): Promise<TestProject> {
  const rows = Array.from({ length: count }, (_, index) => {
    const settings = { type: 'chatAgent', title: `Client ${index}`, description: 'x' };
    return `client-${index},${server.seed('token-1', settings, `${index}`).id},${index}`;
  });
  const environment = `{ baseUrl: "${server.baseUrl}", token: "\${secret.AGENT_TOKEN}" }`;
  return testProject(
    {
      'agentform.yaml': `apiVersion: agentform/v1\nkind: Project\nmanifests: [agents/*.yaml]\nenvironments: { test: ${environment} }\n`,
      'clients.csv': `name,id,account\n${rows.join('\n')}\n`,
    },
    { AGENT_TOKEN: 'token-1' },
  );
}

export const words = [
  'import',
  '--fleet',
  'dental',
  '--from',
  'clients.csv',
  '--query',
  'targetAccountId=${var.account}',
];
