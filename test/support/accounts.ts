/** Returns the files of a project whose agents share the token AGENT_TOKEN, but have separate accounts. */
export function accountFiles(
  names: readonly string[],
  { baseUrl, record = '{ store: file }' }: { readonly baseUrl: string; readonly record?: string },
): Record<string, string> {
  const manifests = names.map((name) => [
    `agents/${name}.yaml`,
    `apiVersion: agentform/v1
kind: Agent
name: ${name}
target: { query: { targetAccountId: ${name} } }
settings: { title: T, description: D, welcomeMessage: Hi }
`,
  ]);
  const projectFile = `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
record: ${record}
environments:
  test:
    baseUrl: "${baseUrl}"
    token: "\${secret.AGENT_TOKEN}"
`;
  return { 'agentform.yaml': projectFile, ...Object.fromEntries(manifests) };
}
