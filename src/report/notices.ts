// The sentences of notices. No code reads a sentence, because a notice's code and facts contain the same information.

import { AgentformError, type ErrorCode, failedCallText } from '../errors.ts';
import { shallowSentence } from '../git/repository.ts';
import { type Group, isJsonObject, jsonIn, mapTexts } from '../json/json.ts';
import { typedPath } from '../kinds/field-path.ts';
import { kindOf, nounOf } from '../kinds/kind.ts';
import type { Notice, NoticeCode, NoticeFacts, NoticeJson, NoticeOf, Remedy } from '../notices/notice.ts';
import type {
  CaseDoubt,
  CaseValue,
  Cause,
  CopyObstacle,
  FailedCall,
  Former,
  Hold,
  Place,
  TestFailure,
  Waited,
} from '../schemas/notices-types.ts';
import { momentOf, seconds } from '../text/time.ts';
import { withoutEnd } from '../text/wildcard.ts';
import {
  capitalised,
  counted,
  formatNumber,
  isOrAre,
  itOrThem,
  joinWithAnd,
  joinWithOr,
  listSome,
  present,
  quote,
  shellWord,
  shortVersion,
  wasOrWere,
} from '../text/wording.ts';
import { alike } from './alike.ts';
import { editedText } from './plan/edits.ts';
import { inSentence, isPlural, plainValue, settingName, type ValueWords } from './values.ts';

/** Returns the sentences of a notice, with its remedies. The text begins in lowercase and has no final period. */
export function sentenceOf(notice: Notice): string {
  return partsWith(notice.code, notice).join('. ');
}

export interface PlainNames {
  /** The kind of the resource whose settings the notice names. */
  readonly kind?: string | undefined;
  /** Finds the title of the resource with an address. Returns undefined for other texts. */
  readonly titleOf?: ((address: string) => string | undefined) | undefined;
}

/** Returns the first sentence of a notice for readers who know only the dashboard, with titles as names. */
export function plainSentenceOf(found: Notice, { kind = '', titleOf = () => undefined }: PlainNames): string {
  const inWords = (text: string) => (typedPath(text) && settingName(kind, text)?.title) ?? titleOf(text) ?? text;
  return partsWith(found.code, { ...found, facts: mapTexts(found.facts, inWords) }, plainSentences)[0] ?? '';
}

/** Formats a refusal as a sentence with a list of its failed cases. With `names`, the texts are plain. */
export function listedSentences(
  refusal: Notice,
  names: PlainNames | undefined,
): { readonly text: string; readonly items: readonly string[] } {
  const { code, facts } = refusal;
  const wordsOf = (notice: Notice) => (names === undefined ? sentenceOf(notice) : plainSentenceOf(notice, names));
  if (code !== 'tests') return { text: wordsOf(refusal), items: [] };
  const groups = alikeFailures(facts.failures);
  const shown = groups.slice(0, maxCases);
  const more = facts.missed - shown.flat().length;
  const cases = shown.map((same) =>
    names === undefined ? placedFailureText(same, facts.environment) : plainFailureText(same, names),
  );
  return {
    text: wordsOf({ ...refusal, facts: { ...facts, failures: [] } }),
    items: present(...cases, more > 0 && `and ${formatNumber(more)} more`),
  };
}

const maxCases = 10;

export function alikeFailures(failures: readonly TestFailure[]): Group<TestFailure>[] {
  return alike(failures, ({ address: _, ...same }) => JSON.stringify(same));
}

/** Returns the sentences after the plain sentence, which are for people who run commands. */
export function detailsOf(notice: Notice): string {
  const parts = partsWith(notice.code, notice);
  return (notice.code in plainSentences ? parts : parts.slice(1)).join('. ');
}

export function sentencesOf(notices: readonly Notice[]): string[] {
  return notices.map(sentenceOf);
}

export function joinedSentences(notices: readonly Notice[]): string {
  return sentencesOf(notices).join('; ');
}

export function refuseRun(refusals: readonly Notice[]): void {
  if (refusals.length === 0) return;
  const messages = refusals.map((refusal) => present(refusalTitle(refusal), sentenceOf(refusal)).join(': '));
  const whole = messages.length === 1 ? messages : ['this run is refused for several reasons:', ...messages];
  throw new AgentformError('run-refused', whole.join('\n- '), {
    facts: { rules: refusals.map(({ code }) => code) },
    reasons: refusals,
  });
}

/** Returns the words before the sentence of a refusal. The sentence of a policy already begins with such words. */
export function refusalTitle({ code }: Notice): string {
  return code === 'policy' ? '' : code;
}

export function refusedBy(code: ErrorCode, notices: readonly Notice[]): AgentformError {
  return new AgentformError(code, joinedSentences(notices), { reasons: notices });
}

export function noticeJson(notice: Notice): NoticeJson {
  return { ...notice, message: sentenceOf(notice) };
}

/** Formats a remedy: a command in backticks, or an option to add to a command. */
export function remedyText(remedy: Remedy): string {
  const words = remedy.map(shellWord).join(' ');
  return remedy[0]?.startsWith('-') ? words : `\`agentform ${words}\``;
}

function partsWith<Code extends NoticeCode>(
  code: Code,
  { facts, remedies }: { readonly facts: NoticeFacts[Code]; readonly remedies: readonly Remedy[] },
  instead: Partial<Sentences> = {},
): string[] {
  const said = (instead[code] ?? sentences[code])(mapTexts(facts, timeInWords), remedies.map(remedyText));
  // Messages from the service or git may contain line breaks.
  return present(...(typeof said === 'string' ? [said] : said)).map((part) =>
    part.replace(/[\r\n\u2028\u2029]+/g, ' '),
  );
}

function timeInWords(text: string): string {
  return (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? momentOf(text) : undefined) ?? text;
}

/** A sentence for every reader, and then sentences for people who run commands. */
type Saying = string | readonly [plain: string, ...more: (string | false | undefined)[]];

/** For each code, a function that makes a sentence from the notice's facts and the remedies to show. */
type Sentences = {
  readonly [Code in NoticeCode]: (facts: NoticeFacts[Code], remedies: readonly string[]) => Saying;
};

const sentences: Sentences = {
  // These are reasons to leave out a resource.
  'create-unclear': ({ kind, startedAt, count = 1 }, remedies) => {
    const [adopt, forget] = remedies;
    const isOne = count === 1;
    return [
      `an earlier run may have created ${itOrThem(count)} already, so ${isOne ? 'it is' : 'they are'} not created again`,
      isOne
        ? `The create that started on ${startedAt} has no recorded result`
        : 'Their creates have no recorded results',
      'If another apply is still running, wait until it ends, and plan again',
      isOne
        ? adoptOrForgetText(kind, remedies)
        : `Look for the ${counted(count, nounOf([{ kind }]))} on the service. For each one that exists, run ${adopt}. After that, run ${forget} for the others`,
    ];
  },
  'other-target': ({ kind, ...facts }, [adopt, forget]) => [
    otherAccount,
    capitalised(differenceText(facts)),
    ...(kindOf({ kind })?.live === undefined
      ? [`To also create it at the manifest's target, run ${forget}`, `If it already exists there, run ${adopt}`]
      : [`To manage the manifest's ${nounOf([{ kind }])}, run ${adopt}`, `To start without a record, run ${forget}`]),
  ],
  'other-account': ({ kind, organization, account, former, isRenamed }, remedies) => {
    const rename = former && `${renamedFrom(former, organization)}, or run ${remedies[0]}`;
    const where = account === undefined ? 'belongs to no organization' : `belongs to the account ${account}`;
    return [
      otherAccount,
      `Its record ${where}, but ${organization} does not exist yet`,
      former &&
        `${isRenamed ? 'Because' : 'If'} ${former.address} was renamed${isRenamed ? ` to ${organization}` : ''}, ${rename}`,
      !isRenamed && `To create another ${nounOf([{ kind }])} in the new account, run ${remedies.at(-1)}`,
    ];
  },
  'record-older': ({ commit, path, lacksHold }, [older]) => [
    'the saved data of its last apply is out of date, for example after going back to an older version',
    `Commit ${commit} has a newer record${lacksHold ? ', with a hold that the current record lost without `unhold`' : ''}`,
    `To restore it, run ${checkout(commit, path)}`,
    `To continue with the older one, run again with ${older}`,
  ],
  'record-altered': ({ commit, path, lacksHold }, [adopt]) => [
    'the saved data of its last apply was edited by hand',
    `The HMAC of its record does not match${lacksHold ? `, and the record lost the hold of commit ${commit} without \`unhold\`` : ''}`,
    commit && path && `To restore the last intact version, run ${checkout(commit, path)}`,
    adopt && `To keep the edited record and compare all settings again, run ${adopt}`,
  ],
  'hold-lost': ({ record, commit, path }, [unhold, older]) => [
    `${record} was on hold, and the hold was deleted from the files`,
    `Commit ${commit} still has it. Restore the record: ${checkout(commit, path)}`,
    `Then release the hold: ${unhold}`,
    older && `If the removal was intended, run again with ${older}`,
  ],
  'held-elsewhere': ({ kind, holder, environment, hold, rename }, [unhold]) => [
    `${holder}${environment === undefined ? '' : ` in ${environment}`} is the same ${nounOf([{ kind }])} and is on hold ${whoHolds(hold)}`,
    `To release it, run ${unhold}`,
    rename && `If its manifest was renamed, write \`renamedFrom: ${rename.from}\` in the manifest of ${rename.to}`,
  ],
  'environment-renamed': ({ former, id }, [rename, forget]) => [
    `it was applied in the environment ${former}, which has since been renamed or removed`,
    id && `Its record there has the id ${id} on the same host`,
    `If the environment was renamed, run ${rename}`,
    `If it was removed permanently, run ${forget}`,
  ],
  'create-over-record': ({ kind, record, settings, isRemoved, renamedTo, address }, [rename, forget]) => {
    const old = record.address;
    const rename0 = `${renamedFrom(record, renamedTo ?? address)}, or run ${rename}`;
    return [
      `it may be the same as ${old}, which was applied earlier and is no longer in the files`,
      settings.length > 0 && `Both have the same target and ${settings.join(', ')}`,
      ...(isRemoved
        ? [
            `agentform.yaml lists ${old} under removed. If it is the same ${nounOf([{ kind }])}, delete that entry and write ` +
              `\`renamedFrom: ${record.name}\` in this manifest. Otherwise, apply the removal first`,
          ]
        : renamedTo !== undefined
          ? [`Because ${old} was renamed to ${renamedTo}, ${rename0}`]
          : [
              `If it is the same ${nounOf([{ kind }])}, ${rename0}`,
              `If the manifest of ${old} was removed permanently, ${listedAsRemoved(record, forget)}`,
            ]),
    ];
  },
  'wrong-type': ({ type }) => [
    'the live agent is not a chat agent, so it cannot be managed here',
    `Its type is ${JSON.stringify(type)}; use the id and the token of a chat agent`,
  ],
  'wrong-agent': ({ asked, found }) => [
    'the service returned a different agent',
    `A read of agent ${asked} returned agent ${found}; correct the agent id, or set target.campaignId in the manifest`,
  ],
  'organization-not-included': ({ organization }) => [
    `${organization} must be applied first`,
    'Its id is unknown, and this run does not include it',
  ],
  'dependency-stopped': ({ address, action, hold, isAnswered }, [unhold]) => [
    `it depends on ${address}, which ${hold ? `is on hold ${whoHolds(hold)}` : isAnswered ? 'an answer leaves out' : action === 'failed' ? 'could not be read' : 'cannot be applied'}`,
    unhold && `To release it, run ${unhold}`,
  ],
  'organization-without-id': ({ organization }, [adopt]) => [
    `the account of ${organization} is not known`,
    `To record its id, run ${adopt}`,
  ],
  'update-impossible': ({ obstacle, paths }, [adopt]) => {
    const changed = `${listSome(paths, maxSettings)} changed in the files, but`;
    const adopted = `run ${adopt}, which marks the manifest as applied`;
    const undo = 'Otherwise, undo the change in the manifest';
    if (obstacle === 'member-id')
      return [
        `${changed} an update needs the member's user id`,
        'To apply the change, add the id to the manifest (`memberId: N`)',
        `If you make the change on the service instead, ${adopted}`,
        undo,
      ];
    return [
      `${changed} can only be changed in the dashboard`,
      'The service has no operation that updates an organization',
      `To keep the change, make it on the service and ${adopted}`,
      undo,
    ];
  },
  'prompt-shrunk': ({ path, before, after, sections, isRefused }) => {
    const size = `${formatNumber(before)} characters become ${formatNumber(after)}`;
    // Character counts alone would not tell readers what callers will miss.
    const noun = sections.length === 1 ? 'the section' : 'the sections';
    const gone = listSome(sections.map(quote), maxSections);
    const lost = sections.length === 0 ? '' : `; ${noun} ${gone} ${isOrAre(sections.length)} gone`;
    return [`at least half of ${path} is removed: ${size}${lost}`, isRefused && lossAdvice];
  },
  'prompt-section-lost': ({ path, section, isRefused }) => [
    `the whole section ${quote(section)} of ${path} is removed`,
    isRefused && lossAdvice,
  ],
  held: ({ hold, until, fields, refusals = [] }, [unhold, update]) => {
    const one = fields?.length === 1 ? '' : 'one of ';
    const end = fields ? `until the files change ${one}${listSome(fields, 3)}` : until && `until ${until}`;
    return [
      present(`on hold ${whoHolds(hold)}`, end).join('; '),
      update && `To copy the restored values into the manifest, run ${update}`,
      ...refusals.map(({ path, reason }) => `${path} cannot be copied: ${obstacleText(reason)}`),
      `To release it, run ${unhold}`,
    ];
  },
  'record-held': ({ record, hold }, [unhold]) => [
    `${record} is on hold ${whoHolds(hold)}`,
    `To release it, run ${unhold}`,
  ],
  'record-dropped': ({ kind, startedAt }) =>
    `it is no longer in the files, so apply stops managing it. The ${nounOf([{ kind }])} stays in the dashboard` +
    (startedAt === undefined ? '' : ` if the create that started on ${startedAt} succeeded`),
  'target-changed': () => 'the files change its account, so its other changes are unknown until the files are merged',
  'read-failed': ({ problem, missing }, [first, second]) => {
    const why = problemText(problem);
    if (missing === undefined) return why;
    const [check, next] =
      missing === 'id'
        ? ['target.agentId and the credentials', `remove target.agentId and run ${first}`]
        : [
            'that the token and target.query lead to the account of this agent',
            `link another one with ${first}, or run ${second}`,
          ];
    return [why, `Check ${check}`, `If the agent is gone, ${next} to create it again`];
  },
  orphan: ({ record, candidates }, remedies) => {
    const [first, ...others] = candidates;
    const renamed =
      others.length === 0
        ? first && `If its manifest was renamed to ${first}, ${renamedFrom(record, first)}, or run ${remedies[0]}`
        : `If its manifest was renamed to ${joinWithOr(candidates.slice(0, 3))}, write \`renamedFrom: ${record.name}\` in that manifest`;
    return [
      'it was applied earlier and is no longer in the files; it stays as it is in the dashboard',
      renamed,
      'If its manifest is on an unmerged branch, for example after an import, merge that branch',
      `If its manifest was removed permanently, ${listedAsRemoved(record, remedies.at(-1))}`,
    ];
  },
  'orphan-renamed': ({ record, renamedTo }, [rename]) => [
    `it is now ${renamedTo} in the files`,
    capitalised(`${renamedFrom(record, renamedTo)}, or run ${rename}`),
  ],
  'orphan-limited': ({ kind, environments }, [forget]) => [
    `the files use it only in ${joinWithAnd(environments)}, so it stays as it is in the dashboard`,
    `To drop its record and keep the ${nounOf([{ kind }])}, run ${forget}`,
  ],
  'orphan-duplicate': ({ record, kind, sameAs }, [forget]) => [
    `it is the same ${nounOf([{ kind }])} as ${sameAs}, so the files need only one of the two`,
    capitalised(listedAsRemoved(record, forget)),
  ],
  'orphan-claimed': ({ kind, address, addressId, id }, [forget, forgetOther]) => [
    `the files say that it is now ${address}, but the dashboard has two different ${nounOf([{ kind }])}s`,
    `To keep the record of ${address} (${addressId ?? 'no id'}), run ${forget}`,
    `To go back to ${id ?? 'this one'}, run ${forgetOther} and apply`,
  ],
  policy: ({ effect, violations }, [skip]) => {
    const said = violations
      .map(({ message, path, at }) => {
        const where = present(path, at && lineText(at)).join(', ');
        const text = withoutEnd(message, '.');
        return where === '' ? text : `${text} (${where})`;
      })
      .join('; ');
    if (effect === 'warn') return said;
    return effect === 'deny'
      ? `${said}; to overrule the policy, run again with ${skip}`
      : `${said}; --skip-policies overrules the policy`;
  },
  requires: (facts, remedies) => [
    trialText(facts),
    `The environment ${facts.environment} requires ${facts.required}, and ${unmetTexts[facts.why](facts)}`,
    remedies.length > 1 && `First run ${remedies[0]}`,
    facts.isOverruled
      ? '--skip-requires overrules this check'
      : `To overrule this check, run again with ${remedies.at(-1)}`,
  ],
  'requires-variables': ({ environment, required, variables }) =>
    `only variables of ${environment} changed (${joinWithAnd(variables)}), and they cannot be tried in ${required} first`,
  'step-closed': (facts) => [barrierText(facts), '--skip-rollout applies it now'],
  'step-skipped': ({ step }) => [
    `it does not wait for rollout step ${step}, which is not open yet`,
    '--skip-rollout overrules the step',
  ],
  'rollout-changed': ({ environment, was, now }) => [
    rolloutText(environment, was, now),
    `If that is not intended, restore \`rollout\` of ${environment} in agentform.yaml`,
  ],
  'step-earlier': ({ resources, from, to }) =>
    `changed labels move ${listSome(resources, 5)} from rollout step ${from} to step ${to}`,

  // These are warnings about a resource.
  'may-replace-agent': () => [
    unknownAgent,
    'To keep the settings of an existing agent, import it',
    'To create a new one, apply with --new. Otherwise, apply leaves out this resource',
  ],
  'declared-new': () => 'it is declared as new; if the account already has an agent, its settings are overwritten',
  'conflict-overwritten': ({ paths, isUnclear }) => {
    const [value, replaces, edits] =
      paths.length === 1 ? ['value', 'replaces', 'an edit'] : ['values', 'replace', 'edits'];
    const live = isUnclear ? `the live ${value}` : `${edits} made in the dashboard`;
    return `the ${value} of ${listSome(paths, maxSettings)} in the files ${replaces} ${live}`;
  },
  'record-newer': ({ commit, path }) => [
    'a newer version was applied from another branch',
    `Check out that branch, or run ${checkout(commit, path)}`,
  ],
  'record-removed': ({ kind, commit, path }) => [
    'it was applied earlier, and then taken out of the project',
    `If the ${nounOf([{ kind }])} still exists, first run ${checkout(commit, path)}`,
  ],
  'restriction-lifted': () => ['the member gets access to every account', 'permittedAccountIds is empty'],
  'earlier-kept': ({ kind }) => [
    `the earlier ${nounOf([{ kind }])} may remain on the service`,
    'The service has no operation that removes it',
    'If it is no longer needed, remove it in the dashboard',
  ],
  'settings-released': ({ paths }) => {
    const [are, theirs] = areSeveral(paths) ? ['are', 'keep their current values'] : ['is', 'keeps its current value'];
    return `${listSome(paths, maxSettings)} ${are} no longer managed and ${theirs}`;
  },
  'unverified-kept': ({ paths }) => [
    `${listSome(paths, maxSettings)} cannot be read back and may have been edited in the dashboard, ` +
      `so ${areSeveral(paths) ? 'they are' : 'it is'} not sent again`,
    'The environment sets `unverified: report`',
  ],
  'settings-kept': (facts, [unhold, update]) => [
    settingsKeptText(facts),
    update && `To copy the live ${facts.paths.length === 1 ? 'value' : 'values'} into the files, run ${update}`,
    `To apply the files, run ${unhold}`,
  ],
  'hold-ended': ({ hold, paths }) =>
    `a new value for ${listSome(paths, maxSettings)} ends the hold ${whoHolds(hold)}. Check that it does not bring back what was rolled back`,
  'drift-left': (facts, [command]) => [
    leftText(facts),
    command &&
      `To ${facts.hold === undefined ? `copy ${theEdits(facts)} into the files` : 'decide about it'}, run ${command}`,
  ],
  'fingerprints-foreign': ({ paths, effect }) => [
    `hidden values (${listSome(paths, maxSettings)}) cannot be compared. ` +
      `They ${effect === 'sent' ? 'are sent again' : 'count as unchanged'}`,
    'The last apply used another token',
  ],
  'stored-otherwise': ({ paths, address }, [plan]) => [
    `the last apply sent ${listSome(paths, maxSettings)}, but the service stored another value and may do so again`,
    address && `To see the difference, run ${plan}`,
  ],
  'credential-hidden': ({ paths }) => [
    hiddenText(paths),
    'Others may have seen it, so replace it with a new one, and write that as ${secret.NAME} in the manifest',
    'If this is a false alarm, copy the value into the manifest by hand to show it',
  ],
  'skill-unusable': ({ slug, reason }) => `the skill ${slug} is not usable: ${reason ?? 'the service gives no reason'}`,
  'not-validated': ({ names }) =>
    `${listSome(names, maxSettings)} cannot be checked and ${names.length === 1 ? 'is sent as it is' : 'are sent as they are'}`,
  'prompt-check': ({ at, also, ...facts }) => {
    const other = also === undefined ? '' : `; ${also.what}: ${lineText(also.at)}`;
    return `${at === undefined ? '' : `${lineText(at)}: `}${findingText(facts)}${other} (${facts.rule})`;
  },
  'prompt-checks-more': ({ count }) => [
    `${counted(count, 'more warning')} on these texts`,
    'To see all, run `agentform validate`',
  ],

  // These are reasons why a rollback changes nothing.
  'nothing-applied': () => 'it has not been applied yet, so there is no version to roll back to',
  'not-in-saved-plan': () => 'the saved plan does not change it, so there is nothing to undo',
  'created-by-saved-plan': () => 'the saved plan creates it, so there is no earlier version',
  'version-of-other': ({ kind, version, id, host }) =>
    `its record at ${version} belongs to a different ${nounOf([{ kind }])} (${id ?? 'no id'} on ${host}), so its values are not restored here`,
  'version-empty': ({ version, state }, [log]) =>
    `its record ${state === 'absent' ? 'did not exist' : 'contained no values'} at ${version}; to list its versions, run ${log}`,
  'version-missing': ({ wanted, limit }, [log]) => {
    const list = `to list its versions, run ${log}`;
    const why = missingVersions[wanted];
    return limit === undefined ? `${why}; ${list}` : `${why}, but ${historyLimits[limit]}. ${capitalised(list)}`;
  },
  'version-unconfirmed': ({ version, state, effect, instead }, [show, anyway]) => {
    const doubt = `version ${version} of its record ${unconfirmedVersions[state]}`;
    if (effect === 'restored') return `${doubt}; it is restored because --to names it`;
    const other = instead === undefined ? '' : `. The last earlier version that an apply wrote is ${instead}`;
    return `${doubt}. To see it, run ${show}. To restore it anyway, run ${anyway}${other}`;
  },
  'secret-not-restored': ({ path, why, commit = '', instead }) => [
    `${path} contains a secret and cannot be restored; ` +
      (instead === 'omitted' ? 'it is left out' : 'the value in the files is kept'),
    capitalised(lostSecrets[why](commit)),
  ],

  // These are reasons to refuse a whole run.
  'shared-target': ({ agentId, sharers }) => [
    `${listSome(sharers, maxSettings)} have the same account, so ${sharers.length === 2 ? 'one would overwrite the other' : 'each would overwrite the others'}`,
    agentId === undefined
      ? 'They have the same base URL, token and query; give each a separate `target` with a token, or a query such as targetAccountId'
      : `They have the same agent id ${agentId}; give each a separate agentId`,
  ],
  'limit-creates': ({ creates, kinds, limit }, [allow]) => [
    `this plan creates ${countedKinds(creates, kinds)}, but the project allows at most ${formatNumber(limit)} at a time`,
    `To change the limit, edit limits.creates. To create them all, run again with ${allow}`,
  ],
  'older-commit': ({ relation, resources, commits, problem }, [older]) => {
    const { version, advice } = olderCommits[relation];
    const plural = commits.length === 1 ? 'commit' : 'commits';
    return [
      `${listSome(resources, maxSources)} ${wasOrWere(resources.length)} last applied from ${version}`,
      `That is ${plural} ${listSome(commits, maxSources)}${problem === undefined ? '' : ` (${problem})`}`,
      advice,
      `To apply anyway, run again with ${older}`,
    ];
  },
  tests: ({ environment, cases, missed, failures }, [test, skip]) => {
    const shown = alikeFailures(failures).slice(0, maxSources);
    const more = missed - shown.flat().length;
    const said = shown.map((same) => placedFailureText(same, environment));
    const whys = more > 0 ? `${said.join(', ')} and ${formatNumber(more)} more` : joinWithAnd(said);
    return [
      `${formatNumber(missed)} of ${counted(cases, 'test')} did not pass${failures.length === 0 ? '' : `: ${whys}`}`,
      `The environment ${environment} requires its Tests. To see them, run ${test}`,
      `To apply anyway, run again with ${skip}`,
    ];
  },

  // These are remarks about drift.
  'no-records': ({ environment, kinds, count }, remedies) => [
    `nothing is known about earlier applies in ${environment}, although the files have ${countedKinds(count, kinds)}`,
    `Restore the records from git, or run ${joinWithAnd(remedies.slice(0, -1))}`,
    `If nothing has been applied yet, run ${remedies.at(-1)}`,
  ],

  // These are remarks about `update` and `import`.
  'not-copied': ({ path, obstacle }, remedies) =>
    `${path === undefined ? '' : `${path}: `}${obstacleText(obstacle, remedies)}`,
  'import-conflict': (facts, [forget = '']) => importConflicts[facts.why](facts, forget),
  'import-invalid': ({ finding }) => `the file would have an error: ${finding}`,
  'plan-failed': ({ problem }) => `the plan fails: ${problemText(problem)}`,
  'import-differs': ({ why, paths }) => `${paths.join(', ')}: ${importDifferences[why]}`,
  'would-change': ({ changes }) => [
    alike(changes, ({ op, cause }) => `${op} ${cause}`)
      .map(openChangesText)
      .join('; '),
    'To copy the values from the service again, repeat the import with --force',
  ],
  'file-problem': ({ finding, at }) =>
    `${at === undefined ? '' : `${lineText(at)}${at.column === undefined ? '' : `:${at.column}`}: `}${finding}`,

  // These are remarks about histories.
  'upload-stopped': ({ why, problem, changedFile }) => {
    const changed = changedFile && `${changedFile} changed during the upload; restore it before you continue`;
    return why === 'interrupted'
      ? 'the upload was interrupted'
      : present(problem && problemText(problem), changed).join('; ');
  },
  'history-cut': ({ limit }) => historyLimits[limit],
  'history-uncommitted': ({ records }) =>
    records.length === 1
      ? `the newest version of the record of ${records[0]} is not committed, so other clones lack it; commit it, unless it belongs to the emulator`
      : `the newest versions of the records of ${listSome(records, 3)} are not committed, so other clones lack them; commit them, unless they belong to the emulator`,
  'history-unreadable': ({ count, address, version }) =>
    `${counted(count, 'version')} of records cannot be read, so their events are missing; the first is ` +
    `${address}@${shortVersion(version)}`,
  'history-altered': ({ address, versions }) =>
    `the record of ${address} was edited outside agentform, so these events may be wrong. ` +
    `The HMAC does not match in ${listSome(versions.map(shortVersion), 3)}`,

  // These are results of publishing.
  'nothing-to-publish': (_, [apply]) => ['it has not been applied yet', `First run ${apply}`],
  'draft-pending': ({ count }, [apply]) => [
    `${counted(count, 'change')} in the files must be applied first`,
    `First run ${apply}. To publish the draft as it is, run again with --allow-pending`,
  ],
  'draft-undecided': (facts, [keep, publish]) => [
    `${editedSettings(facts)}, and someone must decide whether callers should hear ${theEdits(facts)}`,
    `To keep ${theEdits(facts)}, run ${keep}. To publish the draft as it is, run ${publish}`,
  ],
  'draft-edited': (_, [publish]) => [
    'it was edited after the last apply or publish, and the edits may not have been published yet',
    `To publish them, run ${publish}`,
  ],
  'publish-due': ({ why }) => dueDrafts[why],

  // These are results of resources.
  'left-out': ({ by }) => (by === undefined ? 'left out, as answered' : `left out, as ${by} answered`),
  'both-chosen': ({ paths, by }, [update]) => [
    `both values of ${listSome(paths, maxSettings)} were chosen${by === undefined ? '' : ` by ${by}`} and must be combined in the files`,
    update && `To combine them, run ${update}`,
    'Then plan again',
  ],
  'answer-void': ({ question, choice, resources }) =>
    resources === undefined
      ? `the question ${question} has changed since it was answered with ${choice}; answer it again`
      : `the question ${question} has changed since it was answered with ${choice}, so the answer counts only for ${listSome(resources, maxSettings)}; answer again for the others`,
  'answers-differ': ({ question, choices }) =>
    `the question ${question} was answered with ${joinWithAnd(choices)}, so neither counts; agree on one answer, and plan again`,
  'answers-unread': ({ problem, pullRequest }) => [
    `the answers on ${pullRequest === undefined ? 'the merged pull requests' : `pull request ${pullRequest}`} could not be read (${problem})`,
    'Run this again, or give the answers with the command',
  ],
  'answers-elsewhere': ({ by, isAnswered, pullRequest }) => {
    const where = `the comment by ${by}${pullRequest === undefined ? '' : ` on pull request ${pullRequest}`}`;
    const why = 'because it was written with another token';
    return pullRequest === undefined
      ? [
          `answers to ${where} do not count, ${why}`,
          isAnswered ? 'Someone answered there, so answer again in this comment' : 'Answer in this comment',
        ]
      : [
          `answers to ${where} do not count, ${why}`,
          'Use the same token in the preview and the apply, or give the answers with the command',
        ];
  },
  'answer-ignored': ({ answers, by, why, earlier }) => {
    const what = `${answers.length === 1 ? 'the answer' : 'the answers'} ${joinWithAnd(answers)} by ${by}`;
    const counts = answers.length === 1 ? 'does not count' : 'do not count';
    return [
      `${what} ${counts}: ${ignoringReasons[why]}`,
      earlier !== undefined &&
        `${counted(earlier, 'earlier comment')} with answers ${earlier === 1 ? 'does' : 'do'} not count either`,
    ];
  },
  'agent-undecided': (_, [copy, adopt, create]) => [
    unknownAgent,
    `To copy the settings of an existing agent, run ${copy}. To compare them with the files first, run ${adopt}, and plan again`,
    `If the account has no agent, run ${create}`,
  ],
  conflict: (facts, remedies) => {
    const { conflicts, isUnclear } = facts;
    const paths = conflicts.map(({ path }) => path);
    const edited = editedSettings({ paths, isUnclear });
    return [
      `${edited}${isUnclear ? ', and changed in the files' : ' and in the files'}; nothing is sent until you choose one of the values`,
      settlingText(facts, remedies),
    ];
  },
  stale: ({ by }, [plan]) => [stales[by], plan && `To see what is left, run ${plan}`],
  interrupted: () => [
    'the run was interrupted before it reached this resource',
    'To continue, run the same command again. This is safe, because finished writes are not repeated',
  ],
  'wrong-credentials': ({ call }) => `an earlier ${call} with these credentials affected the wrong agent`,
  'dependency-undone': ({ address, outcome }) => `it depends on ${address}, which was not applied (${outcome})`,
  'call-failed': ({ problem }, [plan]) => [problemText(problem), plan && `To see what was carried out, run ${plan}`],
  'create-unanswered': ({ problem, kind, isRepeatable }, remedies) =>
    isRepeatable
      ? `${problemText(problem)}; apply again`
      : `${problemText(problem)}. ${adoptOrForgetText(kind, remedies)}`,
  'publish-unanswered': ({ problem }) => `${problemText(problem)}; publish again. Publishing twice is safe`,
  'publish-unconfirmed': ({ id, problem }) =>
    `the service reported agent ${id} as published, but this could not be confirmed: ${problemText(problem)}`,
  'publish-missed': ({ id, published, address, waited }) =>
    `the service reported success, but a read of agent ${id} returned published: ${published}${waitedText(waited)}. Check that the ` +
    `token and target.query of ${address} belong to this agent`,
  'other-agent-written': ({ id, expected, owner, address, kind, step }, remedies) => {
    const meant = `instead of agent ${expected}`;
    const [whose, advice] =
      owner !== undefined
        ? [`, which belongs to ${owner}`, `Give ${address} a separate \`target\`, then apply ${owner} again`]
        : step === 'create'
          ? [` ${meant} (target.campaignId)`, adoptOrForgetText(kind, remedies)]
          : [` ${meant}`, 'Check the token and target.query, or set target.campaignId'];
    return `the write overwrote the settings of agent ${id}${whose}; nothing more is sent with these credentials. ${advice}`;
  },
  'id-holds-secret': ({ kind }, remedies) =>
    `the service returned an id that contains a secret, so the id is not recorded. ${adoptOrForgetText(kind, remedies)}`,
  'not-read-back': ({ id, problem, waited }) =>
    `agent ${id} was written but could not be read back: ${problemText(problem)}${waited === undefined ? '' : waitedText(waited)}; plan again`,
  'not-recorded': ({ address, problem }, [adopt]) => {
    const next = adopt === undefined ? '; plan again' : `. Once it can be recorded, run ${adopt}`;
    return `${address} was written but could not be recorded: ${problemText(problem)}${next}`;
  },
  'not-stored': ({ ignored, otherwise, waited }) => {
    const parts = present(
      ignored.length > 0 && `the service did not store ${ignored.join(', ')}`,
      otherwise.length > 0 && `the service stored another value for ${otherwise.join(', ')}`,
    );
    return `${parts.join('; ')}${waitedText(waited)}`;
  },
  'not-shared': ({ problem }) => `${problem}; nothing was sent`,
  'not-approved': ({ difference }) => `not approved: it was ${difference}`,
  bug: ({ problem }) => `this is a bug in agentform; please report it: ${problem}`,
  'answer-without-id': ({ kind }, [adopt]) =>
    `the response has no usable id for the ${nounOf([{ kind }])}, so nothing can be created in its account. Look up the id on the service, then run ${adopt}`,
  'service-said': ({ said }) => `the service said "${said}"`,
  'last-update-lags': ({ waited }) => [
    'the service was slow to show the change',
    `It still shows the old lastUpdate${waitedText(waited)}, so the next apply resends the settings that cannot be read back`,
    'If reads often lag this long, raise service.readBack in agentform.yaml',
  ],
  overruled: ({ rule, names }) => [`these checks were overruled: ${joinWithAnd(names)}`, `The run used --skip-${rule}`],
};

function countedKinds(count: number, kinds: readonly string[]): string {
  return counted(count, nounOf(kinds.map((kind) => ({ kind }))));
}

/** Says which step a resource waits for, as in `waits for step 2 of 4`, and why. */
function barrierText(facts: NoticeFacts['step-closed']): string {
  const { step, of, lacking, failed, held, leftOut, isStopped, notBefore } = facts;
  const waits = `waits for step ${step} of ${of}`;
  const time = notBefore === undefined ? '' : `, not before ${notBefore}`;
  if (!isStopped && lacking === 0) return `${waits}${time}`;
  const stopping = present(
    failed > 0 && `${counted(failed, 'agent')} failed`,
    held > 0 && `${counted(held, 'agent')} ${isOrAre(held)} on hold`,
  );
  if (isStopped) return `${waits}. The rollout is stopped, because in earlier steps ${joinWithAnd(stopping)}`;
  const needing = `${counted(lacking, 'agent')} in earlier steps still ${lacking === 1 ? 'needs' : 'need'} the change`;
  if (leftOut === undefined) return `${waits}${time}: ${needing}`;
  return `${waits}: ${needing}, but an answer leaves ${lacking === leftOut ? itOrThem(lacking) : `${leftOut} of them`} out`;
}

function settingsKeptText({ hold, paths, isWhole }: NoticeFacts['settings-kept']): string {
  const settings = listSome(paths, maxSettings);
  const [them, stays] = areSeveral(paths) ? ['them', 'stay as they are'] : ['it', 'stays as it is'];
  const effect = isWhole
    ? `nothing is sent until the files change ${settings}, because any request would overwrite ${them}`
    : `${settings} ${stays} in the dashboard until the files change ${them}`;
  return `${effect}. Kept ${whoHolds(hold)}`;
}

function leftText(facts: NoticeFacts['drift-left']): string {
  const { paths, isWhole, hold, isUnclear, isUndoRefused } = facts;
  const stays = areSeveral(paths) ? 'stay as they are' : 'stays as it is';
  const edited = editedSettings({ paths, isUnclear });
  const whole = isWhole ? '. Nothing is sent for the agent, because any request would overwrite the edits' : '';
  const until = hold === undefined ? 'until the question is answered' : `while the agent is on hold ${whoHolds(hold)}`;
  const refused = isUndoRefused
    ? `. ${capitalised(theEdits(facts))} cannot be undone, because a prompt would lose too much text (prompt-shrunk)`
    : '';
  return `${edited} and ${stays} ${until}${whole}${refused}`;
}

/** Returns whether settings need a plural verb. In plain texts, a setting has a title, which may be a plural. */
function areSeveral([first = '', ...others]: readonly string[]): boolean {
  return others.length > 0 || (!first.includes('.') && isPlural(first));
}

function editedSettings({
  paths,
  isUnclear,
}: {
  readonly paths: readonly string[];
  readonly isUnclear?: boolean | undefined;
}): string {
  return editedText(listSome(paths, maxSettings), areSeveral(paths), isUnclear);
}

function theEdits({ paths, isUnclear }: NoticeFacts['draft-undecided']): string {
  return `the ${isUnclear ? 'change' : 'edit'}${paths.length === 1 ? '' : 's'}`;
}

function rolloutText(environment: string, was: readonly string[], now: readonly string[]): string {
  const [before, after] = [was, now].map((steps) => steps.map(quote).join(', then '));
  if (now.length === 0) return `this change removes the rollout of ${environment}, whose steps were ${before}`;
  if (was.length === 0) return `this change adds a rollout to ${environment}, with the steps ${after}`;
  return `this change replaces the rollout steps of ${environment}, which were ${before}, with ${after}`;
}

const ignoringReasons: Readonly<Record<NoticeFacts['answer-ignored']['why'], string>> = {
  'no-access': 'the author does not have write access to the repository',
  unknown: 'no question has this number',
  closed: 'this question is no longer asked',
  'no-choice': 'the question does not have this choice',
  several: 'a question accepts only one choice',
  early: 'the comment is older than the question; write it again',
  edited: 'another account edited the comment; write it again',
  ambiguous: 'two questions have this number; use the numbers in the newest comment',
};

type OpenChange = NoticeFacts['would-change']['changes'][number];

function openChangesText(changes: Group<OpenChange>): string {
  const [{ op, cause }] = changes;
  const verb = op === 'release' ? 'be released' : `be ${op}`;
  const paths = changes.map(({ path }) => path);
  return `${listSome(paths, maxSettings)} would ${verb}, because ${openCauses[cause]}`;
}

const openCauses: Readonly<Record<OpenChange['cause'], string>> = {
  manifest: 'the value in the files differs from the record',
  drift: 'the value in the dashboard differs from the record',
  conflict: 'the files, the dashboard and the record all differ',
  adopt: 'the files and the dashboard have different values, and the record has none',
  unverified: 'the agent may have been edited in the dashboard, and the value cannot be read back',
};

/** Says what a prompt check found, and what to write instead. */
export function findingText({ finding, instead }: NoticeFacts['prompt-check']): string {
  return instead === undefined ? finding : `${finding}; write ${quote(instead)}`;
}

export function saidByRules({ violations }: Pick<NoticeFacts['policy'], 'violations'>): string {
  return violations.map((one) => withoutEnd(one.said ?? one.message, '.')).join('; ');
}

/** Sentences for readers who know neither the files nor the rules. These sentences replace the sentences above. */
const plainSentences: Partial<Sentences> = {
  'prompt-check': findingText,
  'not-copied': () => 'no command can copy the live value into the files',
  'answer-void': () => 'the question changed after someone answered it; answer it again',
  'credential-hidden': ({ paths }) =>
    `${hiddenText(paths)}. Others may have seen it, so replace it with a new one, and have the new one kept as a secret. ` +
    'If this is a false alarm, have the text copied into the files, so that it is shown again',
  policy: ({ effect, ...facts }) => {
    const said = saidByRules(facts);
    return effect === 'warn' ? said : `a team rule ${effect === 'deny' ? 'forbids' : 'would forbid'} this: ${said}`;
  },
  'read-failed': ({ problem, missing }) => {
    if (missing !== undefined) return 'the service does not have it, or the account is a different one';
    const isOutage = outages.includes(problem.call?.reason);
    return isOutage ? 'the service could not be reached, or had an error. Try again later' : problemText(problem);
  },
};

const outages: readonly (FailedCall['reason'] | undefined)[] = [
  'unconnected',
  'broken',
  'silent',
  'unavailable',
  'throttled',
];

const otherAccount = 'it was applied to a different account from the one in the files';

function hiddenText(paths: readonly string[]): string {
  const isOne = paths.length === 1;
  const subject = `the live ${isOne ? 'value' : 'values'} of ${listSome(paths, maxSettings)} ${isOne ? 'seems' : 'seem'}`;
  return `${subject} to contain a key, token or password typed in the dashboard, so ${isOne ? 'it is' : 'they are'} hidden`;
}

const lossAdvice = 'If this is intended, write `prompt-shrunk: warn` under `lint` in agentform.yaml for this apply';

const stales: Readonly<Record<NoticeFacts['stale']['by'], string>> = {
  'earlier-apply': 'it has already been applied',
  'saved-plan': 'its changes no longer match the plan; make a new plan',
  edit: 'it was edited in the dashboard after the plan was made; make a new plan',
  'other-run': 'another run applied it at the same moment',
  'closed-step': 'its rollout step closed after the plan was made, because agents of earlier steps changed',
};

/** Describes a failed case, as in `“spam is rejected” of Front desk: expected that ...`. `titleOf` names agents. */
export function plainFailureText([failure, ...others]: Group<TestFailure>, { titleOf }: PlainNames): string {
  const { case: name, expected, got = [], error } = failure;
  const agents = [failure, ...others].map(({ address }) => titleOf?.(address) ?? address);
  const subject = `“${name}”${titleOf === undefined ? '' : ` of ${listSome(agents, maxSources)}`}`;
  if (error !== undefined) return `${subject} cannot be decided`;
  const [wanted, found] = [different(expected, got), different(got, expected)];
  const it = wanted.length === 1 ? 'it' : undefined;
  const expectedText = joinWithAnd(wanted.map((one) => plainCaseText(one, { isFound: false })));
  return `${subject}: expected that ${expectedText}, but ${joinWithAnd(found.map((one) => plainCaseText(one, { isFound: true, it })))}`;
}

/** Returns the values that are not among the other values, or all values if long values were cut to the same text. */
function different(values: readonly CaseValue[], others: readonly CaseValue[]): readonly CaseValue[] {
  const found = values.filter((one) => !others.some(({ name, value }) => name === one.name && value === one.value));
  return found.length === 0 ? values : found;
}

/** Describes a value of a case. In a found value, `it` may replace the name of the setting. */
function plainCaseText(
  { name, value: json }: CaseValue,
  { isFound, it }: { readonly isFound: boolean; readonly it?: string | undefined },
): string {
  const parsed = jsonIn(json);
  // A long value may have been cut, so that it is no longer JSON.
  const value = parsed === undefined ? json : parsed;
  const words = settingName('Agent', name);
  // The words for a value may be a clause, such as `where the law requires it`.
  const isWorded = typeof value === 'string' && words?.values !== undefined;
  const shown = isWorded ? `“${plainValue(value, words).text}”` : wordsOf(value, words);
  return caseWords[name]?.(value, isFound) ?? `${it ?? `“${words?.title ?? name}”`} is ${shown}`;
}

function wordsOf(value: unknown, words?: ValueWords): string {
  return inSentence(plainValue(value, words));
}

function quotedTexts(value: unknown): string[] {
  return [value].flat().map((text) => `“${text}”`);
}

const caseWords: Readonly<Partial<Record<string, (value: unknown, isFound: boolean) => string>>> = {
  answer: () => 'the call is answered',
  reject: () => 'the call is rejected',
  transfer: (value) => `the call goes to ${wordsOf(value, { textForm: 'destination' })}`,
  asks: (value) => `the agent asks ${wordsOf(value, { unit: 'time' })}`,
  hangUpAfter: (value) => `the agent hangs up after ${wordsOf(value, { unit: 'duration' })}`,
  interrupts: (value) => `the caller ${value === true ? 'interrupts' : 'does not interrupt'} the agent`,
  delay: (value) => `the agent waits for ${wordsOf(value, { unit: 'duration' })}`,
  bridged: (value) => `the transfer is ${value === true ? '' : 'not '}completed`,
  contains: (value, isFound) => `the text ${isFound ? 'does not' : `contains ${joinWithAnd(quotedTexts(value))}`}`,
  notContains: (value, isFound) =>
    `the text ${isFound ? 'does' : `does not contain ${joinWithOr(quotedTexts(value))}`}`,
  matches: (value, isFound) => `the text ${isFound ? 'does not' : `matches the pattern ${String(value)}`}`,
  words: (value) => `the text has ${wordLimitText(value)}`,
};

function wordLimitText(value: unknown): string {
  if (!isJsonObject(value)) return wordsOf(value, { unit: 'word' });
  const { atLeast, atMost } = value;
  const least = atLeast !== undefined && `at least ${wordsOf(atLeast, { unit: 'word' })}`;
  return joinWithAnd(present(least, atMost !== undefined && `at most ${wordsOf(atMost, { unit: 'word' })}`));
}

function checkout(commit: string, path: string): string {
  return `\`git checkout ${shellWord(commit)} -- ${shellWord(path)}\``;
}

/** The maximum number of settings in a sentence, and of resources that share a target. */
const maxSettings = 10;

const maxSources = 3;

const unknownAgent = 'if the account already has an agent, the settings of that agent would be overwritten';

const olderCommits: Readonly<
  Record<NoticeFacts['older-commit']['relation'], { readonly version: string; readonly advice: string }>
> = {
  descendant: {
    version: 'a newer version, so this plan would undo newer work',
    advice: 'Check out or merge that commit, then run again',
  },
  diverged: {
    version: 'a version with other changes, which this plan may undo',
    advice: 'Merge it, then run again. If it was squashed or rebased, review the changes',
  },
  unknown: {
    version: 'a version that the project no longer has, so this plan may undo other work',
    advice: 'If it was never pushed, or the history was rewritten, review the changes',
  },
  unanswered: {
    version: 'a version that could not be compared with this one, so this plan may undo other work',
    advice: 'Fix the problem above, or review the changes',
  },
};

const dueDrafts: Readonly<Record<NoticeFacts['publish-due']['why'], string>> = {
  unpublished: 'it is not published',
  'not-published': 'its draft was applied but not published',
  'older-draft': 'an older draft may be published',
  edited: 'it was edited after it was published',
};

const importConflicts: Readonly<
  Record<NoticeFacts['import-conflict']['why'], (facts: NoticeFacts['import-conflict'], forget: string) => string>
> = {
  'agent-taken': ({ id, owner, file }) =>
    `${id} is already managed as ${owner}${file === undefined ? ', which has a record' : ` (${file})`}; to import it again, use that name`,
  'record-of-other': ({ id, address, environment, recorded }, forget) =>
    `the record of ${address} in ${environment} belongs to ${recorded === undefined ? 'an unfinished create' : `agent ${recorded}`}, not to ${id}; ` +
    `choose another name, or remove the record with ${forget}`,
  'no-manifest': ({ address, environment }, forget) =>
    `${address} has a record in ${environment}, but no manifest in this checkout; if another branch has the manifest, merge it. ` +
    `To import anyway, remove the record with ${forget}, or replace it with --force`,
  'manifest-of-other': ({ id, address, environment, file }) =>
    `${file} is already the manifest of ${address}; choose another name, declare \`target: { agentId: ${id} }\` ` +
    `for ${environment} in that file, or overwrite the file with --force`,
  imported: ({ address, file }) =>
    `${address} is already imported into ${file}; to overwrite the file and its record, run again with --force`,
  'other-path': ({ file, path }) =>
    `the manifest of the agent is ${file}; move the file to ${path} first, or omit --path`,
};

const historyLimits: Readonly<Record<NoticeFacts['history-cut']['limit'], string>> = {
  'no-repository': 'the project is not in a git repository, so only the current versions of records are known',
  shallow: shallowSentence,
  length: 'the history is too long to read in full, so its oldest part is missing',
};

const importDifferences: Readonly<Record<NoticeFacts['import-differs']['why'], string>> = {
  invalid: 'the live value does not pass validation, so the manifest declares it under extraSettings',
  undocumented:
    'the service returns elements without a key, or several with the same key, so the manifest does not declare it',
  inexpressible: 'a manifest cannot express the live value, so it is not declared',
  credential:
    'the live value looks like it contains a key or a token, so it is not declared; remove the key in the dashboard, or declare the value by hand',
  lost: 'the earlier manifest declared it, but the service does not return it, so it is no longer managed',
  'no-override': 'the override cannot express the live value',
  'in-each-override':
    'no override can express the live value of this agent, so each agent declares it instead of the template',
};

/** Says why a live value cannot be copied. The text completes a sentence that may begin with a path. */
function obstacleText(obstacle: CopyObstacle, remedies: readonly string[] = []): string {
  return copyObstacles[obstacle.why](obstacle, remedies);
}

const copyObstacles: Readonly<
  Record<CopyObstacle['why'], (obstacle: CopyObstacle, remedies: readonly string[]) => string>
> = {
  'not-shown': () =>
    'the service does not show it, or shows several elements with the same key, so there is no live value to copy',
  'kind-not-shown': ({ kind = '' }) =>
    `the service does not show ${nounOf([{ kind }])}s, so there is no live value to copy`,
  'id-unknown': () => 'no agent id is known, so nothing could be read',
  undeclared: () => 'no manifest declares it, so it is not managed; declare it first',
  secret: (obstacle) => `it contains a secret; edit it in ${obstacleFile(obstacle) ?? 'the manifest by hand'}`,
  credential: () =>
    'it seems to contain a key, token or password, which must not be written to files; replace it with a secret',
  'both-changed': ({ lines = [] }, [live, manifest]) => {
    const numbers = listSome(lines.map(formatNumber), 5);
    const what = lines.length === 0 ? 'it' : `${lines.length === 1 ? 'line' : 'lines'} ${numbers}`;
    const both = `the dashboard and the files both changed ${what}`;
    return live === undefined
      ? both
      : `${both}. To use the live value there, run ${live}. To keep the value in the files, run ${manifest}`;
  },
  'only-in-shared-file': ({ file }, [to]) =>
    `it can only be removed from ${file}, which other resources use too; to remove it there, run ${to ?? `\`update\` with --to ${file}`}`,
  'no-own-file': () =>
    'it comes from shared files, and this resource has no separate file; give the fleet `overrides`, or name the file with --to',
  'text-in-yaml': ({ file }) => `its text comes from ${file}, which is YAML; edit it there by hand`,
  'patch-differs': ({ file }) =>
    `it differs too much from the text that ${file} patches; write it into the manifest by hand`,
  'half-a-pair': ({ file }) =>
    `the live text contains an invalid character, which cannot be saved in ${file}; delete the character in the dashboard`,
  'not-alone': (obstacle) =>
    `${obstacleFile(obstacle) ?? 'it'} is written in a way that cannot be edited without changing something else; edit it by hand`,
  'edit-refused': ({ problem = '' }) => problem,
};

function obstacleFile({ file, line }: CopyObstacle): string | undefined {
  return file === undefined || line === undefined ? file : `${file}:${line}`;
}

/** Says why a test case failed, in a sentence without final punctuation. */
export function failureText(
  { test, case: name, address, isOfBase, expected, got = [], error }: TestFailure,
  environment: string,
): string {
  const subject = `the case ${quote(name)}${isOfBase ? ` of ${test} at the base commit` : ''}`;
  const where = `${address} in ${environment}`;
  if (error !== undefined) return `${subject} cannot be decided for ${where}: ${doubtText(error)}`;
  return `${subject} fails for ${where}: expected ${caseText(expected)}, got ${caseText(got)}`;
}

/** Returns the exact text of a failed case, with all its agents and its place. */
function placedFailureText([failure, ...others]: Group<TestFailure>, environment: string): string {
  const addresses = [failure, ...others].map(({ address }) => address);
  const text = failureText({ ...failure, address: listSome(addresses, maxSources) }, environment);
  return failure.at === undefined ? text : `${text} (${lineText(failure.at)})`;
}

export function doubtText(doubt: CaseDoubt): string {
  return doubts[doubt.why](doubt);
}

const doubts: Readonly<Record<CaseDoubt['why'], (doubt: CaseDoubt) => string>> = {
  'destination-missing': () => 'the effect of a transfer without a destination is not documented',
  'caller-unnamed': ({ setting }) => `the effect of ${setting} on a caller without a name is not documented`,
  'more-than-yes': () => 'the documentation does not say whether an answer with more words than "Yes" bridges the call',
  'value-undocumented': ({ setting, value }) => `the effect of ${setting}: ${value} is not documented`,
  'regex-not-run': (doubt) => `${regexText(doubt)} was not run, because the regexes took too long in total`,
  'regex-slow': (doubt) => `${regexText(doubt)} took too long`,
  'regex-invalid': (doubt) => `${regexText(doubt)} is not a valid JavaScript regex`,
  'text-missing': () => 'the agent has no such text',
  'not-text': () => 'the setting is not text',
  secret: ({ setting }) => `${setting} contains a secret, which Tests cannot read`,
  'several-values': ({ setting }) => `${setting} is not a single value`,
  'setting-unknown': ({ setting = '', meant }) =>
    `an Agent has no setting ${quote(setting)}${meant === undefined ? '' : `; did you mean ${quote(meant)}?`}`,
};

function regexText({ setting, regex = '' }: CaseDoubt): string {
  return setting === undefined ? quote(regex) : `${setting}: ${quote(regex)}`;
}

function caseText(members: readonly CaseValue[]): string {
  return members.map(({ name, value }) => `${name}: ${value}`).join(', ');
}

function problemText({ text = '', call, secret }: Cause): string {
  return call === undefined ? text : failedCallText(call, secret);
}

export function lineText({ file, line }: Place): string {
  return `${file}:${line}`;
}

const lostSecrets: Readonly<Record<NoticeFacts['secret-not-restored']['why'], (commit: string) => string>> = {
  'no-commit': () => 'its record does not name a commit',
  'manifests-unusable': (commit) => `the manifests at commit ${commit} cannot be used`,
  'manifest-invalid': (commit) => `its manifest at commit ${commit} now has errors, such as an unset secret`,
  'not-declared': (commit) => `its manifest at commit ${commit} does not declare it`,
  rotated: (commit) =>
    `its manifest at commit ${commit} now produces another value, for example because a secret was rotated`,
};

const maxSections = 6;

export function settlingSentence({ facts, remedies }: NoticeOf<'conflict'>): string {
  return settlingText(facts, remedies.map(remedyText));
}

function settlingText({ conflicts, isUnclear }: NoticeFacts['conflict'], remedies: readonly string[]): string {
  const copied = conflicts.filter(({ refusal }) => refusal === undefined);
  const merged = copied.filter(({ isMergeable }) => isMergeable).length;
  const [merge] = remedies;
  const live = isUnclear ? 'live value' : 'dashboard edit';
  if (merged === conflicts.length) return `To merge the ${live}s into the files, run ${merge}`;
  const [overwrite, copy] = merged > 0 ? remedies.slice(1) : remedies;
  return [
    ...(merged > 0 ? [`To merge what does not overlap, run ${merge}`] : []),
    `To keep the value in the files and drop the ${live}, run ${overwrite}`,
    ...(copied.length === merged ? [] : [`To keep the ${live} and replace the value in the files, run ${copy}`]),
    ...conflicts.flatMap(({ path, refusal }) => (refusal === undefined ? [] : [`${path}: ${obstacleText(refusal)}`])),
  ].join('. ');
}

function differenceText({ difference, recorded, wanted }: Omit<NoticeFacts['other-target'], 'kind'>): string {
  if (difference === 'id') return `the record has agent ${recorded}, but the manifest targets ${wanted}`;
  const subject =
    difference === 'resellerId' ? 'the manifest has' : difference === 'host' ? 'the target is' : 'the target has';
  const noun = difference === 'host' ? 'host' : difference;
  return `the record has ${noun} ${recorded}, but ${subject} ${wanted}`;
}

/** Says what must happen in the required environment first, or why it cannot happen there. */
function trialText({ environment, required, why, wait }: NoticeFacts['requires']): string {
  if (why === 'too-new') return `the same changes must be in ${required} for ${wait} first`;
  if (why === 'overlay-unrecorded')
    return `it may have settings that are only for ${environment} and cannot be tried in ${required} first`;
  return ['overlay-gone', 'overlay-changed', 'overlay-new'].includes(why)
    ? `settings that are only for ${environment} change, so they cannot be tried in ${required} first`
    : `the same changes must be applied in ${required} first`;
}

const unmetTexts: Readonly<Record<NoticeFacts['requires']['why'], (facts: NoticeFacts['requires']) => string>> = {
  'overlay-gone': (facts) => overlayText(facts, 'was removed'),
  'overlay-changed': (facts) => overlayText(facts, 'changed'),
  'overlay-new': (facts) => overlayText(facts, 'is new'),
  'overlay-unrecorded': ({ environment, required }) =>
    `${environment} may have a new overlay: the record does not list overlays. An overlay cannot be tried in ${required}`,
  'not-there': ({ required, resource }) => `${required} does not have ${resource}`,
  'not-applied': () => 'this content has not been applied there',
  'not-recorded': () => 'its record there does not show that all of the content was applied',
  held: () => 'not all of this content was applied there, because of a hold',
  different: () => 'different content is applied there',
  'too-new': ({ since }) => `this content has been there only since ${since}`,
};

function overlayText({ environment, required }: NoticeFacts['requires'], how: string): string {
  return `an overlay of ${environment} ${how}, which cannot be tried in ${required}`;
}

/** Suggests writing `renamedFrom` in the manifest. A rename in the manifest applies to every environment. */
function renamedFrom({ name }: Former, to: string): string {
  return `write \`renamedFrom: ${name}\` in the manifest of ${to}`;
}

/** Suggests listing the address under `removed` in agentform.yaml, or the command that drops the record. */
function listedAsRemoved({ address }: Former, forget: string | undefined): string {
  return `list ${address} under \`removed\` in agentform.yaml, or run ${forget}`;
}

function whoHolds({ by, since, reason, version }: Hold): string {
  return `by ${by} since ${since}: ${reason ?? `rolled back to ${shortVersion(version ?? '')}`}`;
}

const missingVersions: Readonly<Record<NoticeFacts['version-missing']['wanted'], string>> = {
  'other-values': 'no earlier version of its record with different values was found',
  'before-restored':
    'its current values come from a rollback, and no version before the restored one has different values',
  time: 'no version of its record from that time was found',
};

const unconfirmedVersions: Readonly<Record<NoticeFacts['version-unconfirmed']['state'], string>> = {
  foreign: 'was saved with another token, so it cannot be confirmed',
  altered: 'was not written by an apply: its HMAC does not match',
  unsigned: 'was saved without the token, so it cannot be confirmed',
};

function adoptOrForgetText(kind: string, [adopt, forget]: readonly string[]): string {
  return `Look for the ${nounOf([{ kind }])} on the service. If it exists, run ${adopt}. Otherwise, run ${forget}`;
}

/** Completes a sentence about a value that still differs. Returns an empty text if the value was read only once. */
function waitedText({ ms, isCutShort }: Waited): string {
  if (isCutShort) return ' (the run was interrupted while it waited for a later read)';
  return ms === 0 ? '' : ` (after waiting ${seconds(ms)})`;
}
