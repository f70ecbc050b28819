import type { ErrorCode } from '../errors.ts';

// This file defines all rules for problems in files. Reports, SARIF and docs/reference/rules.md use these descriptions.

export type LintLevel = 'off' | 'warn' | 'error';

/** The rules that `lint:` can set, with their descriptions. */
const lint = {
  'attended-over-confirm': '`attendedTransfers` is true and overrides `confirmTransfers`.',
  'blank-title': 'The `title` of an agent is blank. The service may reject such a title.',
  'bridge-trigger-unused': '`attendedTransferBridgeTrigger` has no effect unless `attendedTransfers` is true.',
  'column-unused': 'A fleet table has a column that no template, override or label uses.',
  'confirm-timeout-unused':
    '`transferConfirmTimeout` has no effect unless `confirmTransfers` or `attendedTransfers` is true.',
  'default-provider-twice': 'More than one of the `numberingProviders` has `default: true`.',
  'duplicate-item': '`links`, `actions` or `permittedAccountIds` contains the same item twice.',
  'duplicate-resource':
    'Two Organizations in the same account have the same `orgName`, or two Contexts have the same `target` and `context`.',
  'environments-share-token':
    'Two environments use the same token reference and query on one host. Turn the rule off if the secret has a different value in each environment, as with protected environments on GitHub.',
  'extra-setting-known':
    '`extraSettings` contains a known setting. Declare the setting outside `extraSettings`, so that its value is validated.',
  'extra-setting-shadows': 'A setting in `extraSettings` overrides the same setting in a section.',
  'force-thinking-unused':
    '`postConvoForceThinking` has an effect only when `agentThinking` is off, but `agentThinking` is `low`.',
  'heartbeat-interval-unused': '`heartbeatEvery` has no effect without `heartbeatInstructions`.',
  'manifest-unmatched':
    'A YAML file has `apiVersion: agentform/v1` but is not read: no pattern under `manifests` matches it, and no manifest extends it.',
  'manifests-empty': 'A pattern under `manifests` in agentform.yaml matches no file.',
  'move-done':
    'No environment still has a record of the resource that `renamedFrom` or `removed` names, so the entry can be deleted. Only `plan`, `apply` and `drift` report this, because they read the records.',
  'override-unused': 'An override file matches no row of the fleet table.',
  'process-variable-unused':
    'A process variable `AGENTFORM_VAR_NAME` is set, but no manifest uses it for `${var.NAME}`.',
  'prompt-allow-invalid':
    'A comment such as `<!-- agentform-allow RULE -->` has no effect, because it is malformed, or names no prompt rule.',
  'prompt-contact-differs':
    'A phone number, email address or host in a prompt closely resembles a different one in the same agent, for example in the transfer rules.',
  'prompt-contact-invalid': 'A prompt contains an invalid phone number, email address or URL.',
  'prompt-invisible':
    'A prompt, or a short setting such as `title`, contains zero-width or bidirectional characters, or a word with a similar-looking letter from another script.',
  'prompt-language': 'A prompt is written in a language other than `agentLang`.',
  'prompt-length': 'A prompt has more than `max` characters after variables are replaced.',
  'prompt-markdown':
    'The Markdown of a prompt has an unclosed fence or comment, a heading without a space after `#`, skipped list numbers, or a broken link.',
  'prompt-merge-conflict': 'A prompt contains a leftover merge conflict marker.',
  'prompt-placeholder':
    'A prompt, or a short setting such as `agentVoice`, contains a placeholder that was never filled in, such as `[INSERT HOURS]`, `{{name}}` or TODO. The rule also reports a text that consists only of a file path.',
  'prompt-secret': 'A prompt, or a short setting such as `title`, contains a key, a token or a password.',
  'prompt-shrunk': 'A plan removes at least half of a prompt, or a whole section. Only `plan` and `apply` report this.',
  'prompt-unknown-reference': 'A prompt names a skill, an app or an action that the agent does not have.',
  'prompt-unspeakable':
    'A text that is spoken word for word contains Markdown, a table, code, emoji, or a URL with more than a host name.',
  'recording-phrase-unused':
    '`recordingNotificationPhrase` is never spoken while `autoRecordingNotification` is `false`.',
  'regex-slashes': 'A regex is written between slashes, which are then matched literally.',
  'regex-slow': 'The time that a regex needs grows with the square of the text length.',
  'regex-syntax':
    'A regex contains syntax of another language, such as `\\p{L}`, `\\z` or `[[:alpha:]]`, which JavaScript matches literally.',
  'regex-unproven':
    'The check could not prove within its time limit that a regex is free of catastrophic backtracking.',
  'reject-code-unused': '`cnamAutoRejectCode` has no effect without `cnamAutoRejectRegex`.',
  'restrictions-lifted': '`permittedAccountIds` is empty, so an update lifts all restrictions on the member.',
  'same-caller-regex':
    '`cnamAutoTransferRegex` has no effect if it equals `cnamAutoRejectRegex`, because rejecting takes precedence.',
  'target-shared':
    'Two manifests have the same agent id, or the same token and query, in one environment. A plan refuses them, because each would overwrite the other.',
  'test-unmatched': 'A name, glob or selector of a Test matches no Agent in an environment that the Test covers.',
  'text-anchor':
    'The first word of a value without quotes is an anchor that no alias uses, as in `&hello there`, and therefore not part of the value.',
  'text-blank': 'A file whose text a setting uses is blank. Files with a variable in their path may be blank.',
  'text-character':
    'A text contains a control character, or U+FFFD, which marks a character that was lost to a wrong encoding.',
  'text-comma': 'A value without quotes ends with a comma or semicolon, which becomes part of the value.',
  'text-comment':
    'A comment follows a value, but looks like a part of the value, as in `Desk #1` or `Press # to continue`. Quote the value, or put a space after the `#` of a real comment.',
  'text-folded':
    'A text that does not begin with `|` contains a list or a heading, but YAML joins the lines of such a text.',
  'text-quotes':
    'A value is between typographic quotes, as in `“Desk”`, which become part of the value. YAML recognises only straight quotes.',
  'text-space':
    'A value without quotes begins or ends with a no-break space or a similar character, which becomes part of the value.',
  'thinking-model-unused':
    '`agentThinkingModel` has no effect: `postConvoForceThinking` is not true, and neither actions nor instructions mention pauseAndThink.',
  'transfer-destination-unused': '`cnamAutoTransferDestination` has no effect without `cnamAutoTransferRegex`.',
  'variable-unused': 'A manifest declares a variable that neither the manifest nor its bases use.',
} as const satisfies Readonly<Record<string, string>>;

/** The level of a rule that `lint:` does not set. */
export const usualLevel: LintLevel = 'warn';

/** The default limits of the rules whose limit `lint:` can set. */
const usualMaxima: Readonly<Partial<Record<LintRuleName, number>>> = { 'prompt-length': 40_000 };

/** The rules that `lint:` cannot set. A problem with one of these rules is an error. */
const errors = {
  'api-version': '`apiVersion` is missing or not supported by this version of agentform.',
  attachment: 'An attachment cannot be read, is too large, or is incomplete.',
  'base-name': 'A base, template or override sets a key that only a manifest can have, such as `name` or `onlyIn`.',
  'base-unusable':
    'The base commit has errors, so the plan compares with an earlier commit, or shows resources as new.',
  'base-url': 'A base URL is neither `emulator` nor a plain HTTP(S) URL.',
  blank: 'A name or role is blank.',
  'csv-cell':
    'A cell of an import list does not fit its column, repeats another row, or names an agent that cannot be imported.',
  'csv-column': 'A column of a CSV file is unknown, missing or repeated.',
  'csv-empty': 'A CSV file has no rows.',
  'csv-encoding': 'A CSV file is not UTF-8, or an earlier conversion lost some of its characters.',
  'csv-lost': 'A spreadsheet saved an error or a rounded number instead of the value of a cell.',
  'csv-repeated': 'A task row is identical to an earlier row, so its task would be queued twice.',
  'csv-syntax': 'The file is not valid CSV.',
  'csv-target': 'The target of a task row is missing or does not fit the type of the task.',
  'csv-value': 'A cell of a task row has a value that its column or the type of its task does not allow.',
  'csv-width': 'A row of a CSV file has more or fewer fields than the header.',
  destination: 'A transfer destination is not an E.164 number, `ext:<number>` or `pbx:<number>`.',
  'duplicate-element': 'Two elements of a keyed list have the same key.',
  'duplicate-identity': 'Two manifests declare the same member, agent URL or phone number.',
  'duplicate-name': 'Two manifests of the same kind have the same name.',
  email: 'A value is not an email address.',
  'environment-unknown': 'A file names an environment that agentform.yaml does not declare.',
  'environments-share-agent':
    'Two environments have the same agent id on the same host, so both would change the same agent.',
  extends: 'A base is missing, is outside the project, has another kind, or extends itself.',
  file: 'An included file cannot be read, or is outside the project folder.',
  'file-documents': 'A file has more than one document.',
  'file-empty': 'A file that should contain YAML is empty.',
  'file-shape': 'A file contains something other than an object.',
  kind: '`kind` is missing or unknown.',
  label:
    'A label key or value is invalid. It may contain at most 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends. A key may begin with a domain and `/`.',
  'lint-rule-unknown': '`lint` in agentform.yaml names a rule that does not exist.',
  'manifests-unreadable': 'A pattern under `manifests` covers a folder that cannot be read.',
  'merge-conflict': 'A file contains conflict markers from a git merge.',
  missing: 'A required key is missing.',
  name: 'A name has characters that are not allowed, or is too long.',
  'number-unsafe': 'A number would lose digits, because it is too large for JSON.',
  'organization-differs': 'A phone number and its agent name different organizations.',
  parameter: 'A name under `service.parameters` is already used by another query parameter.',
  'parameter-twice': 'A query parameter is set in two places.',
  patch: 'A patch is malformed, has no text to change, or no longer matches the text.',
  pattern: 'A pattern under `manifests` leads outside the project folder, or uses unsupported syntax such as a group.',
  person: 'A value is neither a phone number nor a user name.',
  'phone-number': 'A value is not an E.164 number, such as +14155550100.',
  'project-size':
    'A fleet table has too many rows, or the manifests have too many values, including those from bases and from all environments.',
  'policy-base':
    'A Policy has errors in the base commit, and the change has no valid Policy with the same name or in the same file. Or the change removes or replaces a manifest or submodule that may contain a Policy, but cannot be read in the base commit.',
  'policy-denied': 'A manifest violates a `deny` rule of a Policy.',
  'policy-exception': 'An exception in a Policy ends within a week, has ended, or has a date that does not exist.',
  'policy-expression':
    'An expression in a Policy is not valid CEL, reads a variable or member that does not exist, or may take too long.',
  'policy-rule': 'A rule in a Policy does not have exactly one of `deny` and `warn`, or has an invalid selector.',
  'policy-warning': 'A manifest violates a `warn` rule of a Policy.',
  'problems-many': 'A file has more problems than agentform reports.',
  'record-store': '`record` in agentform.yaml has a key that its store does not use, or contains a credential.',
  'record-stray': 'A file on the record branch is not a record, so it is ignored.',
  'reference-malformed': 'A `${var.` or `${secret.` reference is malformed.',
  'reference-unknown': 'A manifest refers to a manifest that does not exist in the project or in the environment.',
  regex: 'A value is not a JavaScript regular expression.',
  'regex-catastrophic': 'A regex can backtrack catastrophically on a long text.',
  removed:
    '`removed` in agentform.yaml lists a resource that a manifest declares, or that a manifest names under `renamedFrom`.',
  'renamed-from': '`renamedFrom` names a manifest that still exists, or two manifests have the same `renamedFrom`.',
  'requires-cycle': 'Environments require each other in a cycle, through `requires` in agentform.yaml.',
  'reseller-missing': 'Neither an Organization nor the environment declares `resellerId`.',
  rollout:
    'A rollout step in agentform.yaml does not have exactly one of `select` and `share`, or the value is invalid.',
  'secret-literal': 'A credential is written in clear text instead of as `${secret.NAME}`.',
  'secret-misplaced': 'A secret is used in a value that is shown and stored.',
  'secret-unset': 'The process variable of a required secret is not set.',
  slug: 'The slug of an agent URL is blank, or contains white space, a slash or another character that ends a path.',
  'target-beside-agent': 'A phone number that belongs to an agent also sets a target.',
  'target-id':
    'The id of a target has white space or other characters that an id cannot have, or is too long. The rule also reports query parameters with invisible characters, or with white space at the ends.',
  template: 'A fleet template or override cannot be used, or a placeholder in an override path is not a column.',
  'task-account': 'The account of a task is not an integer.',
  'task-misplaced': 'A task has a setting for a different type of task.',
  'task-option': 'The file that an option names cannot be read, or two options cannot be combined.',
  'task-subject': 'The subject of an email has a line break or control character.',
  'task-target': 'The target of a task is missing or does not fit the type of the task.',
  'task-time': 'The time of a task is invalid, in the past, or ambiguous.',
  'task-type': 'The type of a task is missing or unknown.',
  'test-agent':
    'A Test names an agent that no environment has, or an environment requires a Test that matches none of its agents.',
  'test-base':
    'A required Test has errors in the base commit and no valid replacement, or no longer matches any agent.',
  'test-case': 'A case of a Test has several events, or expects an outcome that its event cannot have.',
  'test-failed': 'A case of a Test fails, or the specification does not define its outcome.',
  'test-selector': 'A Test has both `agents` and `selector`, or its selector is invalid.',
  'text-surrogate': 'A text contains half of a surrogate pair, which cannot be encoded.',
  'text-size':
    'A text, or all texts of a manifest or project, have too many characters after all references are resolved.',
  'text-unwritable': 'A text from an imported agent cannot be written to a manifest.',
  'time-zone': 'A value is not an IANA time zone.',
  'token-blank': 'The process variable of a token begins or ends with white space. agentform removes this white space.',
  'token-literal': 'A token is written in clear text instead of as `${secret.NAME}`.',
  'token-missing': 'Neither the manifest nor the environment has a token.',
  'token-short': 'A token has fewer than six characters, so it is too short to mask.',
  'transfer-destination-missing': '`cnamAutoTransferRegex` is set without `cnamAutoTransferDestination`.',
  'unknown-key': 'A key is not allowed in this place.',
  url: 'A value is not an http(s) URL.',
  value: 'A value has the wrong type or is not one of the allowed values.',
  'variable-nested': 'The value of a variable, or a cell of a table, refers to a variable or a secret.',
  'variable-unresolved': 'A text refers to a variable that has no value.',
  'yaml-alias': 'An alias has no anchor, or refers to a value that contains the alias.',
  'yaml-aliases': 'A file has too many values, including those of aliases and merge keys.',
  'yaml-depth': 'Values are nested too deeply.',
  'yaml-duplicate-key': 'An object contains the same key twice.',
  'yaml-key': 'A key is not a string.',
  'yaml-merge': 'The value of a merge key is not an object or a list of objects.',
  'yaml-syntax': 'The file is not valid YAML.',
  'yaml-value': 'A value cannot be written as JSON.',
} as const satisfies Readonly<Record<string, string>>;

export type LintRuleName = keyof typeof lint;
type ErrorRuleName = keyof typeof errors;

/** The rule that a problem violates. For a failure that is unrelated to a file, this is an error code. */
export type Rule = LintRuleName | ErrorRuleName | ErrorCode;

interface LintRule {
  readonly name: LintRuleName;
  readonly description: string;
  readonly level: LintLevel;
  /** The default limit of a rule, if `lint:` can set the limit. */
  readonly max?: number;
}

interface ErrorRule {
  readonly name: ErrorRuleName;
  readonly description: string;
}

/** All rules that `lint:` can set. */
export const lintRules: readonly LintRule[] = namesOf(lint).map((name) => {
  const { [name]: max } = usualMaxima;
  return { name, level: usualLevel, ...(max !== undefined && { max }), description: lint[name] };
});

/** All rules that `lint:` cannot set. */
export const errorRules: readonly ErrorRule[] = namesOf(errors).map((name) => ({ name, description: errors[name] }));

export function isLintRule(rule: string): rule is LintRuleName {
  return Object.hasOwn(lint, rule);
}

function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(table).filter((name): name is Name => Object.hasOwn(table, name));
}
