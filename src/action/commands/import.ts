import type { ImportEntry, ImportLedger } from '../../apply/events.ts';
import { descriptionMissing, whatToImport } from '../../commands/import/command.ts';
import { importAgents } from '../../commands/import/import.ts';
import { alikeEntries, importCounts, importSentences, renderImportText } from '../../commands/import/text.ts';
import { AgentformError } from '../../errors.ts';
import { schemaCopy } from '../../files/package-files.ts';
import type { Group } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { Notice } from '../../notices/notice.ts';
import { codeSpan, escapeProse } from '../../report/markdown/escape.ts';
import { firstFitting } from '../../report/markdown/fit.ts';
import { sentencesOf } from '../../report/notices.ts';
import { listNames, listSome } from '../../text/wording.ts';
import { bullets, failureOfProposal, nextStep, proposed, withPatch } from '../github/proposal.ts';
import { printQuoted } from '../log.ts';
import { writeSummary } from '../outputs.ts';
import { needsOf, tellRemedies } from '../remedies.ts';
import { type ActionRun, runnerSignal, titleOf } from '../run.ts';
import { failureOfImport, type JobFailure } from '../verdict.ts';

const oneAgent = 'import accepts one agent; for several, commit a list of agents and enter `import --from FILE.csv`';

/**
 * Imports an agent or a list of agents. Pushes the manifests to a new branch, and also the records if the record store
 * is `file`. Other record stores contain the records even before the manifests are merged.
 */
export async function runImport(run: ActionRun): Promise<JobFailure | undefined> {
  const { inputs, host, redact } = run;
  const { project, path, from, description, force = false, query = [], concurrency } = inputs;
  const [id, ...more] = inputs.names;
  if (more.length > 0) throw new AgentformError('usage', oneAgent);
  const ledger = await importAgents(host, {
    project,
    environment: run.inputs.environment,
    what: whatToImport({ ...inputs, query, id }),
    path,
    force,
    concurrency,
    signal: runnerSignal(),
    describe: async (agent) => {
      if (description === undefined) throw descriptionMissing(agent, { isList: from !== undefined });
      return description;
    },
  });
  const { environment, files, entries } = ledger;
  printQuoted(redact(renderImportText(ledger, { color: false, width: 120, isProposed: true })));
  const imported = entries.filter(({ outcome }) => outcome === 'imported').map(addressOf);
  const message = `Import ${listSome(imported, 3)} from ${environment}`;
  const unshown = files.filter((file) => file === schemaCopy('manifest'));
  const proposal = await proposed(run, { files, message, name: `import-${environment}`, unshown });
  const remedies = tellRemedies({ remedies: needsOf(noticesOf(ledger)).remedies }, run);
  const blocks = [
    `### ${escapeProse(titleOf('import', run))}`,
    `**${escapeProse(importCounts(ledger))}**`,
    ...nextStep(proposal),
    ...agentBlocks(ledger),
    ...(remedies === '' ? [] : [remedies]),
  ];
  await writeSummary((limit) => redact(firstFitting(withPatch(proposal, blocks), limit)));
  return failureOfProposal(proposal) ?? failureOfImport(ledger);
}

function noticesOf({ entries, general }: ImportLedger): Notice[] {
  return [...entries.flatMap(({ reasons = [], left = [] }) => [...reasons, ...left]), ...general];
}

function agentBlocks({ entries, general }: ImportLedger): string[] {
  return [
    ...alikeEntries(entries).flatMap(agentBlock),
    ...(general.length === 0 ? [] : [bullets(sentencesOf(general))]),
  ];
}

function agentBlock(same: Group<ImportEntry>): string[] {
  const sentences = importSentences(same);
  if (sentences.length === 0) return [];
  const [{ id }, ...others] = same;
  const ids = others.length > 0 ? '' : ` (${codeSpan(id)})`;
  return [`${codeSpan(listNames(same.map(addressOf)))}${ids}`, bullets(sentences)];
}
