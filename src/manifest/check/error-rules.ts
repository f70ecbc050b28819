/** What an error in a file is about, for reports that explain their rules. Lint rules have a table of their own. */
export interface ErrorRule {
  readonly name: string;
  /** One sentence: when it speaks, or what holds. */
  readonly description: string;
}

const descriptions = {
  'api-version': '`apiVersion` is missing or is not one that this agentform knows.',
  'base-name': 'A file that others extend declares no resource of its own, so it has no `name`.',
  'base-url': 'A base URL is not the plain http(s) URL of a service.',
  destination: 'A destination of transfers is not an E.164 number, `ext:<number>` or `pbx:<number>`.',
  'duplicate-element': 'Two elements of a keyed list have the same key.',
  'duplicate-identity': 'Two manifests speak of the same member, agent URL or phone number.',
  'duplicate-name': 'Two manifests of a kind have the same name.',
  email: 'A value is not an e-mail address.',
  'environments-share-agent': 'Two environments write the same agent: one agent id on one host.',
  'environment-unknown': 'A file names an environment that agentform.yaml does not have.',
  extends: 'A base cannot be used: it is missing, outside the project, of another kind, or extends itself.',
  file: 'A file that is referred to cannot be read, or is outside the project folder.',
  'file-documents': 'A file holds more than one document.',
  'file-empty': 'A file that should hold one resource is empty.',
  'file-shape': 'A file holds something other than a map.',
  kind: '`kind` is missing or not known.',
  'lint-rule-unknown': '`lint` in agentform.yaml names a rule that does not exist.',
  'manifests-unreadable': 'A pattern under `manifests` leads into a folder that cannot be read.',
  missing: 'A required key is missing.',
  name: 'A name has characters that names cannot have, or is too long.',
  'number-unsafe': 'A number has more digits than JSON numbers keep; write it as a text.',
  'organization-differs': 'A phone number and its agent name different organizations.',
  parameter: 'A name under `service.parameters` is that of another query parameter.',
  'parameter-twice': 'A query parameter is set in two places.',
  pattern:
    'A pattern under `manifests` leads outside the project folder, or has what patterns may not have, such as a group.',
  person: 'A value is neither a phone number nor a user name.',
  'phone-number': 'A value is not an E.164 number, such as +14155550100.',
  'reference-malformed': 'A `${var.` or `${secret.` reference is not written as one.',
  'reference-unknown': 'A manifest refers to another one that does not exist.',
  'problems-many': 'A file has more problems than are shown.',
  'record-store': '`record` in agentform.yaml says something that its store does not use, or holds a credential.',
  regex: 'A value is not a regular expression of JavaScript.',
  'regex-catastrophic': 'The time a regex takes can explode with the length of the text it is matched against.',
  'reseller-missing': 'An organization has no reseller to be created under.',
  'secret-literal': 'A credential is written in clear where only `${secret.NAME}` may stand.',
  'secret-misplaced': 'A secret stands where values are shown and stored.',
  'secret-unset': 'A secret is needed and the process variable that holds it is not set.',
  'target-beside-agent': 'A phone number that belongs to an agent has a target of its own.',
  'text-size':
    'A text, or all texts of a manifest or project, have more characters than is allowed once everything is put in.',
  'time-zone': 'A value is not the IANA name of a time zone.',
  'token-literal': 'A token is written in clear where only `${secret.NAME}` may stand.',
  'token-missing': 'Neither the manifest nor the environment has a token.',
  'transfer-destination-missing': 'A rule that transfers calls has no destination to transfer them to.',
  'unknown-key': 'A key is not one that may stand there.',
  url: 'A value is not an http(s) URL.',
  value: 'A value is not of the type, or not one of the values, that may stand there.',
  'variable-nested': 'The value of a variable refers to a variable or a secret.',
  'variable-unresolved': 'A variable is set neither in the environment nor in the process.',
  'yaml-alias': 'An alias has no anchor, or leads to what it stands in.',
  'yaml-aliases': 'A file has more values than it may hold, those of aliases and merge keys included.',
  'yaml-depth': 'Values nest too deeply.',
  'yaml-duplicate-key': 'A map has the same key twice.',
  'yaml-key': 'A key of a map is not a text.',
  'yaml-merge': 'A merge key takes something other than a map or a list of maps.',
  'yaml-syntax': 'The file is not YAML.',
  'yaml-value': 'A value cannot be written as JSON.',
} as const satisfies Record<string, string>;

/** What errors in agentform.yaml and manifests are about, by name. */
export const errorRules: readonly ErrorRule[] = Object.entries(descriptions).map(([name, description]) => ({
  name,
  description,
}));
