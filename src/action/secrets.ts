import { setSecret } from '@actions/core';

type Env = Readonly<Record<string, string | undefined>>;

/** A line of a secret that is shorter occurs in any text by chance, such as a brace of JSON. */
const shortestLine = 4;

/** Has the runner mask the secrets in the log: as they are, percent-encoded, JSON-escaped, and each of their lines. */
export function maskSecrets(names: readonly string[], env: Env): void {
  for (const form of new Set(names.flatMap((name) => formsOf(env[name] ?? '')))) setSecret(form);
}

/** Names the author of commits of records. */
const actor = 'GITHUB_ACTOR';

/** What a run can see of the process: variables that are meant for manifests, and the secrets that the workflow names. */
export function restrictedEnv(names: readonly string[], env: Env): Env {
  const isSeen = (name: string) => name.startsWith('AGENTFORM_VAR_') || name === actor || names.includes(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => isSeen(name)));
}

/** The same, without the secrets. */
export function withoutSecrets(names: readonly string[], env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}

/** Whether the run was given any secret: pull requests from forks are not. */
export function hasSecrets(names: readonly string[], env: Env): boolean {
  return names.some((name) => (env[name] ?? '') !== '');
}

function formsOf(value: string): string[] {
  const lines = value.split(/\r\n|\n|\r/).filter((line) => line.trim().length >= shortestLine);
  const texts = [value, value.trim(), ...(lines.length > 1 ? lines : [])].filter((text) => text.trim() !== '');
  return texts.flatMap((text) => [
    text,
    encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD')),
    JSON.stringify(text).slice(1, -1),
  ]);
}
