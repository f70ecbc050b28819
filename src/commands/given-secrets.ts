import { join } from 'node:path';
import { secretsNamedIn } from '../cli/host.ts';
import { defaultProject } from '../cli/options.ts';
import { readPlainFile } from '../files/plain-file.ts';
import { isLongEnough, type Redact, redactor } from '../secrets/redact.ts';
import { entryOf, Secret, secretNamesIn } from '../secrets/secret.ts';
import { textsOfSecret } from '../secrets/secret-values.ts';

/** Matches the names of process variables that usually contain secrets, such as `API_TOKEN`. */
const secretVariable = /(?:^|_)(?:TOKENS?|SECRETS?|PASSWORD|PAT|KEY|CREDENTIALS?)(?:_|$)/i;

const maxProjectBytes = 1024 * 1024;

/**
 * Redacts the secrets among the arguments of a failed command. The failure may quote an argument before the project's
 * secrets are known, so this function reads only process variables and the text of agentform.yaml.
 */
export function redactGiven(env: NodeJS.ProcessEnv, args: readonly string[]): Redact {
  const inProject = orNothing(() => projectTexts(args).flatMap(secretNamesIn)) ?? [];
  const names = new Set([
    ...(secretsNamedIn(env)?.names ?? []),
    ...Object.keys(env).filter((name) => secretVariable.test(name)),
    ...inProject.map((name) => entryOf(name)?.of ?? name),
  ]);
  const texts = [...names].flatMap((name) => orNothing(() => textsOfSecret(env, name)) ?? env[name] ?? []);
  const given = args.join('\n');
  const secrets = texts.filter((text) => given.includes(text.trim()));
  // Options are divided at `=`, and lists at commas and spaces, so a failure may quote only a part.
  const parts = secrets.flatMap((text) => [text, ...text.split(/[=,\s]+/)]);
  return redactor(parts.map((text) => new Secret(text)).filter(isLongEnough));
}

/** Reads the agentform.yaml of the default project, and of each project among the arguments. */
function projectTexts(args: readonly string[]): string[] {
  const projects = [defaultProject(), ...args.map((arg) => arg.replace(/^--project=/, ''))];
  return projects.flatMap((project) => {
    const path = /\.ya?ml$/.test(project) ? project : join(project, 'agentform.yaml');
    const file = orNothing(() => readPlainFile(path, maxProjectBytes));
    return file?.text ?? [];
  });
}

/** Returns undefined instead of throwing, because the command's own failure is more important. */
function orNothing<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
