import { createHash } from 'node:crypto';
import { asJson } from '../json.ts';
import { type Annotation, type Placement, repositoryPath } from './annotations.ts';

/** How grave a finding is, in GitLab's words. */
const severities = { error: 'major', warning: 'minor', notice: 'info' } as const;

/**
 * Annotations as a report of GitLab's Code Quality. GitLab wants a place of every finding: one that has none is put at the
 * head of the project file. Findings of two branches are the same if their fingerprints are, so no line is in them: what
 * moved is not new. Findings that are alike are told apart by their number.
 */
export function renderCodeQuality(annotations: readonly Annotation[], { folder }: Pick<Placement, 'folder'>): string {
  const alike = new Map<string, number>();
  return asJson(
    annotations.map(({ rule, level, title, message, file, line }) => {
      const path = file ?? repositoryPath('agentform.yaml', { folder });
      const said = JSON.stringify([rule, path, title, message]);
      const number = alike.get(said) ?? 0;
      alike.set(said, number + 1);
      return {
        description: `${title}: ${message}`,
        check_name: rule,
        fingerprint: createHash('sha256').update(`${number} ${said}`).digest('hex'),
        severity: severities[level],
        location: { path, lines: { begin: line ?? 1 } },
      };
    }),
  );
}
