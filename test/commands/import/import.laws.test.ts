import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { importAgents } from '../../../src/commands/import/import.ts';
import { plan } from '../../../src/commands/plan/plan.ts';
import { validate } from '../../../src/commands/validate/validate.ts';
import { sentencesOf } from '../../../src/report/notices.ts';
import { fieldsByKind } from '../../../src/schemas/fields.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';
import { type IndependentServer, json, startIndependentServer } from '../../support/independent-server.ts';
import { nastyCampaign, requiredText } from '../../support/nasty-agents.ts';

const secret = 'tok-secret-value';
const plainCampaign = { id: 'camp_1', campaignType: 'chatAgent', enabled: true, published: false };

let server: IndependentServer;
beforeAll(async () => {
  server = await startIndependentServer();
});
afterAll(() => server.close());

function imported(place: Workplace, description: string, force = false) {
  return importAgents(place.host, {
    project: place.root,
    what: { id: 'camp_1', name: 'front-desk', query: [], description },
    force,
    concurrency: 4,
    describe: async () => description,
    signal: new AbortController().signal,
  });
}

/** Lists in which a key occurs twice. Only extraSettings can contain such lists. */
const twice: [campaign: Record<string, unknown>, description: string][] = [
  [{ ...plainCampaign, skills: [{ slug: 'calendar' }, { slug: 'calendar', instructions: 'Books.' }] }, 'D'],
  [{ ...plainCampaign, apps: [{ appId: 'pay', version: 'v1', instructions: 'Take cards.' }, { appId: 'pay' }] }, 'D'],
];

/** A description that a person types. */
const wellFormed = requiredText.map((text) => Buffer.from(text).toString());

/** Returns the names of settings whose value in the campaign does not count as unset. */
function shownFields(campaign: Readonly<Record<string, unknown>>): string[] {
  return fieldsByKind.Agent.filter(({ readable, readAs, default: usual }) => {
    const value = campaign[readAs.split('[')[0] ?? ''];
    if (!readable || value === null || value === undefined || value === usual) return false;
    if (typeof value === 'string') return value.trim() !== '' && value.trimEnd() !== usual;
    return Array.isArray(value) && value.length > 0;
  }).map(({ name }) => name);
}

test('An imported agent validates, plans only its description and leaves no secret in a file, whatever the service shows.', async () => {
  const files = {
    'agentform.yaml': `apiVersion: agentform/v1\nkind: Project\nmanifests: [agents/*.yaml]\nenvironments:\n  test: { baseUrl: "${server.baseUrl}", token: "\${secret.TOKEN}" }\n`,
  };
  await fc.assert(
    fc.asyncProperty(nastyCampaign, wellFormed, async (campaign, description) => {
      server.before = () => json(200, { success: true, message: '', campaign });
      const place = await workplace(files, { TOKEN: secret });
      try {
        const ledger = await imported(place, description);
        expect(ledger).toMatchObject({ entries: [{ outcome: 'imported' }], general: [] });
        const written = await place.files();
        const told = [written['agents/front-desk.yaml'], ...sentencesOf(ledger.entries[0]?.notes ?? [])].join('\n');
        expect(shownFields(campaign).filter((name) => !told.includes(name))).toEqual([]);
        const result = await plan(place.host, { project: place.root, names: [], concurrency: 4 });
        expect(
          result.plan.resources.flatMap(({ changes }) => changes.map(({ path, knowledge }) => [path, knowledge])),
        ).toEqual([['settings.description', 'blind']]);
        expect(
          (await validate(place.host, { project: place.root })).problems.filter(({ severity }) => severity === 'error'),
        ).toEqual([]);
        expect(JSON.stringify(written)).not.toContain(secret);
        expect(await imported(place, description, true)).toMatchObject({ entries: [{ outcome: 'imported' }] });
        expect(await place.files()).toEqual(written);
      } finally {
        await place.remove();
      }
    }),
    { numRuns: 12, examples: twice },
  );
});

test('An imported fleet only plans the descriptions, whatever its agents are.', async () => {
  const files = {
    'agentform.yaml': `apiVersion: agentform/v1\nkind: Project\nmanifests: [agents/*.yaml]\nenvironments:\n  test: { baseUrl: "${server.baseUrl}", token: "\${secret.TOKEN}" }\n`,
    'clients.csv': 'name,id,brand\none,camp_1,word\ntwo,camp_2,0012\nsix,camp_6,null\n',
  };
  const agents = fc.tuple(nastyCampaign, nastyCampaign, nastyCampaign);
  await fc.assert(
    fc.asyncProperty(agents, fc.boolean(), async (campaigns, areAlike) => {
      server.before = ({ path }) => {
        const id = ['camp_1', 'camp_2', 'camp_6'].find((one) => path.includes(one)) ?? '';
        const own = campaigns[areAlike ? 0 : Math.min(2, Number(id.slice(-1)) - 1)];
        const text = JSON.stringify({ success: true, message: '', campaign: { ...own, id } });
        // A text that contains the token needs a decision by a person, so this test replaces the token.
        return json(200, JSON.parse(text.replaceAll(secret, 'none')));
      };
      const place = await workplace(files, { TOKEN: secret });
      try {
        const ledger = await importAgents(place.host, {
          project: place.root,
          what: {
            fleet: 'all',
            list: `${place.root}/clients.csv`,
            query: ['targetAccountId=${var.name}'],
            description: 'D',
          },
          force: false,
          concurrency: 4,
          describe: async () => 'D',
          signal: new AbortController().signal,
        });
        expect(ledger).toMatchObject({ entries: [1, 2, 6].map(() => ({ outcome: 'imported' })), general: [] });
        const { plan: made } = await plan(place.host, { project: place.root, names: [], concurrency: 4 });
        const left = made.resources.flatMap(({ name, changes }) => changes.map(({ path }) => `${name} ${path}`));
        expect(left.filter((one) => !one.endsWith(' settings.description'))).toEqual([]);
      } finally {
        await place.remove();
      }
    }),
    { numRuns: 8, examples: [[[plainCampaign, { ...plainCampaign, title: '\n\ud800' }, plainCampaign], false]] },
  );
});
