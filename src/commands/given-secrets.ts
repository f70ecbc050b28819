import { isAbsolute, join } from 'node:path';
import { secretsNamedIn } from '../cli/host.ts';
import { defaultProject } from '../cli/options.ts';
import { readPlainFile } from '../files/plain-file.ts';
import { isRandom } from '../secrets/credentials.ts';
import { isLongEnough, type Redact, redactor } from '../secrets/redact.ts';
import { entryOf, Secret, secretNamesIn } from '../secrets/secret.ts';
import { namesInFile, textsOfSecret } from '../secrets/secret-values.ts';

/** Matches the names of process variables that usually contain secrets, such as `API_TOKEN`. */
const secretVariable = /(?:^|_)(?:TOKENS?|SECRETS?|PASSWORD|PAT|KEY|CREDENTIALS?)(?:_|$)/i;

const maxProjectBytes = 1024 * 1024;

/**
 * Redacts the secrets among the arguments of a failed command. The failure may quote an argument before the project's
 * secrets are known. Therefore, the secrets come from process variables, the secrets file and the text of
 * agentform.yaml. Manifests are not read. They may name any variable, so each value that looks random counts as a secret.
 */
export function redactGiven(env: NodeJS.ProcessEnv, args: readonly string[]): Redact {
  const inProject = orNothing(() => projectTexts(args).flatMap(secretNamesIn)) ?? [];
  const names = new Set([
    ...(secretsNamedIn(env)?.names ?? []),
    ...Object.keys(env).filter((name) => secretVariable.test(name)),
    ...inProject.map((name) => entryOf(name)?.of ?? name),
    ...(orNothing(() => namesInFile(env)) ?? []),
  ]);
  const textsOf = (name: string) => orNothing(() => textsOfSecret(env, name)) ?? env[name] ?? [];
  const texts = [...[...names].flatMap(textsOf), ...Object.keys(env).flatMap(textsOf).filter(mayBeToken)];
  const given = args.join('\n');
  const secrets = texts.filter((text) => given.includes(text.trim()));
  // Options are divided at `=`, and lists at commas and spaces, so a failure may quote only a part.
  const parts = secrets.flatMap((text) => [text, ...text.split(/[=,\s]+/)]);
  return redactor(parts.map((text) => new Secret(text)).filter(isLongEnough));
}

/** The minimum length of a value that counts as a token because it looks random. */
const minTokenLength = 16;

/** Whether the value of a process variable looks like a token, and not like a path or the id of a commit. */
function mayBeToken(value: string): boolean {
  return value.length >= minTokenLength && isRandom(value) && !isAbsolute(value) && !/^[0-9a-f]{40}$/.test(value);
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
