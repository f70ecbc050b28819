import { nearest } from '../text/suggest.ts';

const prefix = 'AGENTFORM_';

/** The process variables that agentform reads, beside `AGENTFORM_VAR_NAME`, and the option that says the same. */
const known: Readonly<Record<string, string | undefined>> = {
  ALLOWED_HOSTS: undefined,
  CACHE: undefined,
  ENVIRONMENT: '--environment',
  LOG: '--debug',
  PROJECT: '--project',
  SECRETS: undefined,
  SECRETS_FILE: undefined,
};

/** A sentence about each process variable that nothing reads and that looks like one which is read. */
export function misspeltVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const names = Object.keys(env).filter((name) => name.startsWith(prefix) && env[name]);
  return names.flatMap((name) => {
    const own = name.slice(prefix.length);
    if (Object.hasOwn(known, own) || own.startsWith('VAR_')) return [];
    const meant = namesBegunBy(own)[0] ?? nearest(own, Object.keys(known));
    if (meant === undefined) return [];
    const option = known[meant] === undefined ? '' : ` or ${known[meant]}`;
    return [`agentform does not read ${name}; did you mean ${prefix}${meant}${option}?`];
  });
}

/** `ENV` is far from `ENVIRONMENT`, which it begins. */
function namesBegunBy(own: string): string[] {
  return own.length < 3 ? [] : Object.keys(known).filter((name) => name.startsWith(own));
}
