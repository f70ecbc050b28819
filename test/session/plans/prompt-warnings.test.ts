import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { apply } from '../../../src/commands/apply/apply.ts';
import { planOffline } from '../../../src/commands/plan/offline.ts';
import { plan } from '../../../src/commands/plan/plan.ts';
import { decisionsOf } from '../../../src/plan/decisions.ts';
import { sentencesOf } from '../../../src/report/notices.ts';
import { renderPlanMarkdown, renderPlanText } from '../../../src/report/plan.ts';
import type { Plan } from '../../../src/schemas/plan-types.ts';
import { commitAll, initRepository } from '../../support/git.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';
import { type IndependentServer, startIndependentServer } from '../../support/independent-server.ts';

const head = 'apiVersion: agentform/v1\n';
const slot =
  "prompts/desk.md:3: 'TODO' is a placeholder that is never filled in; replace it with the actual text (prompt-placeholder)";
const slotIn = (place: string) => slot.replace('prompts/desk.md:3', place);
const prompt = 'Be nice.\n\nTODO: the opening hours.\n';

let server: IndependentServer;
let place: Workplace;
let runs = 0;

beforeAll(async () => {
  server = await startIndependentServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  runs += 1;
  place = await workplace(
    {
      'agentform.yaml': projectFile(),
      'agents/desk.yaml': agentFile('title: Desk, recordingNotificationPhrase: We record. TODO'),
      'prompts/desk.md': prompt,
    },
    { TOKEN: `token-of-run-${runs}`, PIN: 'secret-pin-4711' },
  );
});
afterEach(() => place.remove());

function projectFile(more = ''): string {
  const environment = `baseUrl: "${server.baseUrl}", token: "\${secret.TOKEN}", variables: { hours: 9 to 5 }`;
  return `${head}kind: Project\nmanifests: ["agents/*.yaml"]\nenvironments:\n  test: { ${environment} }\n${more}`;
}

function agentFile(settings: string): string {
  const instructions = 'agentInstructions: { file: ../prompts/desk.md }';
  return `${head}kind: Agent\nname: desk\nsettings: { description: d, ${instructions}, ${settings} }\n`;
}

const options = () => ({ project: place.root, names: [], concurrency: 1 });
const planned = async () => (await plan(place.host, options())).plan;
const warnings = async () => warningsIn(await planned());

/** Only warnings of prompt checks, because a create has other warnings too. */
function warningsIn({ resources }: Plan): string[] {
  const all = resources.flatMap((resource) => sentencesOf(resource.warnings));
  return all.filter((warning) => /\(prompt-[a-z-]+\)$|more warning/.test(warning));
}

/** Applies the project. Returns the warnings of the plan that was confirmed. */
async function applied(): Promise<string[]> {
  let warned: string[] = [];
  await apply(place.host, {
    ...options(),
    decisions: decisionsOf({ new: ['all'] }),
    signal: new AbortController().signal,
    confirm: async (confirmed) => {
      warned = warningsIn(confirmed.plan);
      return true;
    },
  });
  return warned;
}

test('A warning says what to write instead, as validate does.', async () => {
  await place.write('prompts/desk.md', 'Open $var.hours.\n<!-- agentform-allow prompt-placehold -->\n');
  const found = await planned();
  const wrong = "'$var.hours' is not replaced by the value of the variable; write '${var.hours}'";
  const warned = warningsIn(found);
  expect(warned).toContain(`prompts/desk.md:1: ${wrong} (prompt-placeholder)`);
  expect(warned.filter((one) => one.includes("write 'prompt-placeholder' (prompt-allow-invalid)"))).toHaveLength(1);
  expect(renderPlanMarkdown(found)).toContain(String.raw`; write '\${var.hours}'`);
});

test('A plan and an apply of new texts warn of each slot with its rule, file and line.', async () => {
  const found = [slot, slotIn('agents/desk.yaml:4')];
  expect(await warnings()).toEqual(expect.arrayContaining(found));
  expect(renderPlanText(await planned(), { color: false, width: 200 })).toContain(`warning: ${slot}`);
  expect(renderPlanMarkdown(await planned())).toContain('is a placeholder that is never filled in');
  expect(await applied()).toEqual(expect.arrayContaining(found));
});

test('Unchanged texts are not checked, even if the agent has another change.', async () => {
  await applied();
  expect(await warnings()).toEqual([]);
  await place.write('agents/desk.yaml', agentFile('title: Front desk, recordingNotificationPhrase: We record. TODO'));
  expect((await planned()).summary.update).toBe(1);
  expect(await warnings()).toEqual([]);
  await place.write('prompts/desk.md', prompt.replace('nice', 'kind'));
  expect(await warnings()).toEqual([slot]);
});

test('A text that is only resent after an edit is not checked.', async () => {
  await applied();
  const [agent] = server.agents().slice(-1);
  server.edit(agent?.id ?? '', { agentInstructions: 'Be rude.' });
  const [resource] = (await planned()).resources;
  expect(resource?.changes.map(({ path, cause }) => [path, cause])).toEqual(
    expect.arrayContaining([
      ['settings.agentInstructions', 'drift'],
      ['settings.recordingNotificationPhrase', 'unverified'],
    ]),
  );
  expect(resource?.warnings).toEqual([]);
});

test('A text in conflict is checked.', async () => {
  await applied();
  const [agent] = server.agents().slice(-1);
  server.edit(agent?.id ?? '', { agentInstructions: 'Be rude.' });
  await place.write('prompts/desk.md', prompt.replace('nice', 'kind'));
  expect(await warnings()).toEqual([slot]);
});

test('The changed value of a variable is checked at its declaration.', async () => {
  await place.write('prompts/desk.md', 'We are open ${var.hours}.\n');
  await applied();
  await place.write('agentform.yaml', projectFile().replace('9 to 5', 'TODO'));
  expect(await warnings()).toEqual([slotIn('agentform.yaml:5')]);
});

test('The text of a new skill is checked, but not that of other skills.', async () => {
  const skills = (...slugs: string[]) =>
    `${agentFile('title: Desk')}skills:\n${slugs.map((slug) => `  - { slug: ${slug}, instructions: "TODO: ${slug}" }\n`).join('')}`;
  await place.write('agents/desk.yaml', skills('calendar'));
  await applied();
  await place.write('agents/desk.yaml', skills('calendar', 'billing'));
  expect(await warnings()).toEqual([slotIn('agents/desk.yaml:7')]);
});

test('A changed contact is compared with unchanged texts.', async () => {
  await place.write('agents/desk.yaml', agentFile('title: Desk, welcomeMessage: Call +1 415 555 0142.'));
  await place.write('prompts/desk.md', 'Be nice.\n');
  await applied();
  await place.write('prompts/desk.md', 'Be nice.\nCall +1 415 555 0124.\n');
  expect(await warnings()).toEqual([
    expect.stringMatching(
      /'\+1 415 555 01(?:24|42)' is almost the same as another .*; the other one: \S+:\d+ \(prompt-contact-differs\)$/,
    ),
  ]);
});

test('A rule that is off finds nothing, and one that is an error refuses the plan.', async () => {
  await place.write('agentform.yaml', projectFile('lint: { prompt-placeholder: off }\n'));
  expect(await warnings()).toEqual([]);
  await place.write('agentform.yaml', projectFile('lint: { prompt-placeholder: error }\n'));
  await expect(planned()).rejects.toMatchObject({ code: 'manifests-invalid' });
});

test('A text with a secret is checked as written, without showing the secret.', async () => {
  await place.write('prompts/desk.md', `${prompt}The code is \${secret.PIN}.\n`);
  expect(await warnings()).toContain(slot);
  expect(JSON.stringify(await planned())).not.toContain('secret-pin');
});

test('A line with a repeated slot is reported once, and at most ten warnings are shown.', async () => {
  await place.write('prompts/desk.md', 'TODO: this. TODO: that.\n');
  expect(await warnings()).toEqual([slotIn('prompts/desk.md:1'), slotIn('agents/desk.yaml:4')]);
  const instructions = (name: string) => `  ${name}: |\n${'    TODO\n'.repeat(5)}`;
  const texts = ['agentInstructions', 'publicInstructions', 'adminInstructions'].map(instructions).join('');
  await place.write(
    'agents/desk.yaml',
    `${head}kind: Agent\nname: desk\nsettings:\n  title: t\n  description: d\n${texts}`,
  );
  const found = await warnings();
  expect(found).toHaveLength(11);
  expect(found.at(-1)).toBe('5 more warnings on these texts. To see all, run `agentform validate`');
});

test('An offline plan makes the same checks of texts.', async () => {
  initRepository(place.root);
  await commitAll(place.root, 'base');
  const offline = async () => {
    const { plan: made } = await planOffline(place.host, { ...options(), base: 'HEAD' });
    return warningsIn(made);
  };
  expect(await offline()).toEqual([]);
  await place.write('prompts/desk.md', prompt.replace('nice', 'kind'));
  expect(await offline()).toEqual([slot]);
});
