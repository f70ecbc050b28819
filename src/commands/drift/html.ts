import { addressOf } from '../../kinds/desired.ts';
import { type DifferenceStyle, differenceBlock, sentence } from '../../report/html/difference.ts';
import { type PageSection, renderPage, sentencesList, wordsPart } from '../../report/html/page.ts';
import { html, prose } from '../../report/html/template.ts';
import { sentencesOf } from '../../report/notices.ts';
import { sideHeads } from '../../report/plan/change-view.ts';
import { conflictChoices } from '../../report/plan/conflict-choices.ts';
import { groupTitle } from '../../report/plan/sections.ts';
import { termsOf } from '../../report/plan/terms.ts';
import { settingName } from '../../report/plan/value-text.ts';
import { changedSinceSentences } from '../../report/plan/wording.ts';
import type { Drift } from '../../schemas/drift-types.ts';
import type { Change } from '../../schemas/plan-types.ts';
import { listNames } from '../../text/ranges.ts';
import {
  type DriftSection,
  driftInWords,
  headOfDrift,
  quietSentences,
  remedySentence,
  sectionsOfDrift,
  summaryOfDrift,
  unmanagedSentences,
} from './wording.ts';

/** The drift as a separate page. */
export function renderDriftHtml(drift: Drift): string {
  const { verdict, moves, compared } = summaryOfDrift(drift);
  const remedy = remedySentence(drift);
  const style = { heads: headsOfDrift, budget: { left: 4_000_000 } };
  const { drifted, inDoubt, blocked, failed } = drift.summary;
  return renderPage({
    title: `Drift in ${drift.environment}`,
    state: drifted + inDoubt + blocked + failed > 0 || drift.noRecords ? 'mind' : 'nothing',
    verdict: driftInWords(drift),
    advice: drifted + inDoubt > 0 ? advice : undefined,
    facts: [verdict, moves, compared, drift.changedSince && changedSinceSentences(drift.changedSince)],
    notices: sentencesOf(drift.warnings).map((warning) => prose(`warning: ${warning}`)),
    sections: sectionsOfDrift(drift).map((section) => sectionOf(section, drift.environment, style)),
    closing: [
      remedy === undefined ? undefined : html`<p class="source">For the person who applies it: ${prose(remedy)}.</p>`,
      sentencesList([...quietSentences(drift), ...unmanagedSentences(drift, { verbose: true })]),
      wordsPart(termsOf(wordsOf(drift))),
    ],
  });
}

const advice =
  'Decide for each change below whether it stays. The service does not tell who made it, so ask everybody who uses its ' +
  'dashboard. Then tell the person who sent you this page what you decided.';

function headsOfDrift(): readonly [string, string] {
  return [sideHeads.lastApplied, sideHeads.live];
}

function wordsOf({ summary: { moves, conflicts, doubts }, resources }: Drift): ReadonlySet<string> {
  const counts = { drift: moves, conflict: conflicts, unverified: doubts };
  return new Set([
    ...Object.entries(counts).flatMap(([word, count]) => (count > 0 ? [word] : [])),
    ...resources.map(({ status }) => status),
  ]);
}

type DriftStyle = Omit<DifferenceStyle, 'kind' | 'choices'>;

function sectionOf({ resources, view }: DriftSection, environment: string, driftStyle: DriftStyle): PageSection {
  const { status, counts, location } = headOfDrift({ resources });
  const { written, moves, unverified } = view;
  const [first, ...others] = resources;
  const isShared = others.length > 0;
  const { kind, name } = first;
  const resource = { kind, name, changes: moves.map(({ change }) => change) };
  const choices = (change: Change) => conflictChoices(environment, resource, change);
  const style = { ...driftStyle, kind, choices, isShared };
  const doubts = unverified.map(({ sentence, paths }) => {
    return html`<p class="note">${sentence}: ${paths.map((path, index) => html`${index === 0 ? '' : ', '}${settingName(kind, path)?.title ?? html`<code>${path}</code>`}`)}</p>`;
  });
  return {
    action: status,
    name: isShared ? groupTitle(resources) : addressOf(first),
    about: counts.join(', '),
    content: html`${isShared ? html`<p class="names">${listNames(resources.map(({ name }) => name))}</p>` : ''}
${written === undefined ? '' : html`<p class="source">${sentence(written)}</p>`}${sentencesList(sentencesOf(first.reasons))}
${moves.map(({ change, note }) => differenceBlock(change, { note }, style))}${doubts}`,
    location,
  };
}
