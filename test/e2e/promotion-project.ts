/** The text of agentform.yaml. Production requires staging by default. */
export const projectFile = (record: string, requires = 'requires: staging') => `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
record: ${record}
environments:
  staging: { baseUrl: emulator, query: { targetAccountId: 1 }, variables: { clinic: Oak } }
  production: { baseUrl: emulator, query: { targetAccountId: 2 }, variables: { clinic: Elm }, ${requires} }
`;
export const files = {
  'agents/desk.yaml':
    'apiVersion: agentform/v1\nkind: Agent\nname: desk\nsettings:\n  title: Desk of ${var.clinic}\n  description: d\n' +
    '  agentInstructions: { file: ../desk.md }\n',
  'desk.md': 'Be kind.\n',
};
