import { afterEach, beforeEach } from '@jest/globals';
import { type IndependentServer, startIndependentServer } from '../../support/independent-server.ts';
import { agentFile, agentToken, scenario, useScenario } from './scenario.ts';

export let staging: IndependentServer;

/** Begins each test with a project in which production and staging have separate hosts and tokens. */
export function useTwoHosts(): void {
  useScenario();
  beforeEach(async () => {
    staging = await startIndependentServer();
    scenario.base = await scenario.repository.commit('main', twoHosts(), scenario.base);
  });
  afterEach(() => staging.close());
}

export function twoHosts(
  hosts = [scenario.service.baseUrl, staging.baseUrl],
  tokens = ['AGENT_TOKEN', 'STAGING_TOKEN'],
) {
  const environments = ['production', 'staging'].map(
    (name, index) => `  ${name}: { baseUrl: "${hosts[index]}", token: "\${secret.${tokens[index]}}" }\n`,
  );
  const target = 'target: { agentId: agent-1 }\nsettings:';
  return {
    'agentform.yaml': `apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\ndefaultEnvironment: production\nenvironments:\n${environments.join('')}`,
    'agents/front-desk.yaml': agentFile('Front desk').replace('settings:', target),
  };
}

export const inputs = { secrets: 'AGENT_TOKEN STAGING_TOKEN' };
export const env = { AGENT_TOKEN: agentToken, STAGING_TOKEN: 'tok-staging' };

/** Returns the number of requests to both services since the last call. */
export function asked(): number {
  return scenario.service.takeLog().length + staging.takeLog().length;
}
