import { posix } from 'node:path';
import { AgentformError } from '../../../errors.ts';
import type { JsonObject } from '../../../json/json.ts';
import { defaultPaths, manifestPatterns, matchedPaths, type Project } from '../../../manifest/project/project.ts';
import { editorSchema } from '../editor-schema.ts';
import { writeFleet, writeManifest } from '../manifest/write-manifest.ts';

/** The places for the files of a new fleet, relative to the project folder. */
export interface FleetLayout {
  readonly name: string;
  readonly fleet: string;
  readonly template: string;
  readonly overrides: string;
  readonly table: string;
}

/** Throws `import-refused` if the project would treat the template as a manifest, or would not find the fleet. */
export function newLayout(project: Project, name: string, table: string): FleetLayout {
  const candidates = [`fleets/${name}.yaml`, ...defaultPaths(project, name)];
  const fleet = candidates.find((path) => matchedPaths(project, [path]).has(path));
  const patterns = manifestPatterns(project).join(', ');
  if (fleet === undefined) {
    throw new AgentformError(
      'import-refused',
      `a fleet at ${candidates[0]} would not be found, because \`manifests\` in ${project.file} is ${patterns}; add the pattern fleets/*.yaml`,
    );
  }
  const template = `templates/${name}.yaml`;
  const [taken] = matchedPaths(project, [template, 'clients/name.yaml']);
  if (taken !== undefined) {
    throw new AgentformError(
      'import-refused',
      `templates/ and clients/ must not hold manifests, but \`manifests\` in ${project.file} is ${patterns}; leave them out with the patterns "!templates/**" and "!clients/**"`,
    );
  }
  return { name, fleet, template, overrides: 'clients/${var.name}.yaml', table };
}

export interface TemplateParts {
  /** The texts for the template, with references. */
  readonly sections: JsonObject;
  readonly target: JsonObject;
  readonly environment: string;
  readonly comments: ReadonlyMap<string, readonly string[]>;
}

/**
 * The template with the files of its long texts, and the fleet last, because nothing reads the other files without it.
 */
export function fleetFiles(
  project: Project,
  layout: FleetLayout,
  { sections, target, environment, comments }: TemplateParts,
): ReadonlyMap<string, string> {
  const { name, fleet, template, overrides, table } = layout;
  const { files } = writeManifest({
    kind: 'Agent',
    name,
    isTemplate: true,
    path: template,
    schema: editorSchema(project, template),
    // An empty cell means that the client has no agent yet.
    variables: { id: '' },
    sections,
    target,
    overlay: environment,
    comments,
    write: (text) => text,
  });
  const seen = (path: string) => posix.relative(posix.dirname(fleet), path);
  const written = writeFleet({
    name,
    schema: editorSchema(project, fleet),
    template: seen(template),
    table: seen(table),
    overrides: seen(overrides),
  });
  return new Map([...files, [fleet, written]]);
}
