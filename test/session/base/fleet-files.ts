import { type Files, startingFiles } from './random-edits.ts';

const agentTemplate = `apiVersion: agentform/v1
kind: Agent
settings: { title: "\${var.brand}", description: Answers. }
target: { query: { targetAccountId: "\${var.name}" } }
`;
export const fleet = `apiVersion: agentform/v1
kind: Fleet
name: f
templates: [../shared/agent.yaml, ../shared/number.yaml]
members: { file: ../shared/clients.csv }
overrides: ../shared/own/\${var.name}.yaml
`;
export const own = 'apiVersion: agentform/v1\nkind: Agent\nsettings: { agentVoice: own }\n';
/** The files of a fleet with two members, one of which has an override. */
export const fleetFiles: Files = {
  'agentform.yaml': startingFiles['agentform.yaml'] ?? '',
  'agents/fleet.yaml': fleet,
  'shared/agent.yaml': agentTemplate,
  'shared/number.yaml':
    'apiVersion: agentform/v1\nkind: PhoneNumber\nagent: ${var.name}\nsettings: { number: "${var.phone}" }\n',
  'shared/clients.csv': 'name,brand,phone\nelm,Elm,+14155550101\noak,Oak,+14155550102\n',
  'shared/others.csv': 'name,brand,phone\nelm,Elms,+14155550101\noak,Oak,+14155550102\n',
  'shared/own/elm.yaml': own,
};
