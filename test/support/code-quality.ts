export interface Finding {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: string;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const severities = ['info', 'minor', 'major', 'critical', 'blocker'];

/**
 * Parses a Code Quality report, and throws unless it has the form that GitLab documents: a list without a byte order
 * mark. Each finding has a text, the name of its check, a unique fingerprint, one of five severities, a path without
 * `./`, and a line.
 */
export function findingsIn(report: string): Finding[] {
  const read: unknown = JSON.parse(report);
  if (!Array.isArray(read)) throw new Error('the report is not a list');
  const flawed = read.filter((finding) => !isFinding(finding));
  if (flawed.length > 0) throw new Error(`not a finding of Code Quality: ${JSON.stringify(flawed[0])}`);
  const findings: Finding[] = read.filter(isFinding);
  const prints = new Set(findings.map(({ fingerprint }) => fingerprint));
  if (prints.size < findings.length) throw new Error('two findings have the same fingerprint');
  return findings;
}

function isFinding(value: unknown): value is Finding {
  const { description, check_name, fingerprint, severity, location } = membersOf(value);
  const { path, lines } = membersOf(location);
  const { begin } = membersOf(lines);
  const isPlaced = typeof path === 'string' && /^[^./]/.test(path) && Number.isInteger(begin) && Number(begin) > 0;
  return isPlaced && [description, check_name, fingerprint].every(isText) && severities.includes(String(severity));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value);
}
