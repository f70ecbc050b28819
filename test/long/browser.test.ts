// Tests the page as a browser shows it. All tests share one browser, because starting it takes a second.
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import markdownIt from 'markdown-it';
import type { Browser, Page } from 'puppeteer-core';
import { renderDriftHtml } from '../../src/commands/drift/document.ts';
import { notice } from '../../src/notices/notice.ts';
import { renderPlanHtml } from '../../src/report/html/plan.ts';
import { renderPlanMarkdown } from '../../src/report/plan.ts';
import type { Plan, ResourcePlan } from '../../src/schemas/plan-types.ts';
import { richDrift } from '../commands/drift/drift-builders.ts';
import { change, plan, resource, richPlan, unchanged } from '../report/plan/plan-builders.ts';
import { describeInBrowser, openBrowser } from '../support/browser.ts';
import { saying } from '../support/notices.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const lines = Array.from({ length: 60 }, (_, index) => `- Rule ${index} of the prompt says something of its own.`);

/** A plan with an example of every block on the page, including a text with folded, changed and moved lines. */
function fullPlan(): Plan {
  const from = lines.join('\n');
  const to = [...lines.toSpliced(30, 4), ...lines.slice(30, 34)].join('\n').replace('Rule 10', 'Rule ten');
  const theirs = from.replace('Rule 20', 'Rule twenty');
  const { resources, refusals } = richPlan();
  const title = 'Front desk of Elm Street Dental';
  const resent = change({ path: 'settings.callerResponseTimeout', to: 15, cause: 'unverified', knowledge: 'blind' });
  return plan(
    [
      resource({ name: 'moved', changes: [change({ path: 'settings.agentInstructions', from, to })] }),
      resource({
        ...{ name: 'torn', title },
        changes: [change({ cause: 'conflict', lastApplied: from, from: theirs, to }), resent],
      }),
      resource({ name: 'resent', changes: [resent] }),
      ...['one', 'two'].map((name) => resource({ name, changes: [change({ from: 'x', to: 'y' })] })),
      ...resources,
    ],
    { refusals },
  );
}

/** The plan of the mock-up: four questions, a group of 38 agents and 90 agents on hold. */
function askedPlan(warnings: ResourcePlan['warnings'] = []): Plan {
  const edited = { at: '2026-11-22T09:12:00Z', edited: 'yes', editedAt: '2026-11-25T11:00:00Z' } as const;
  const held = { by: 'octo-dev', since: '2026-11-20T10:00:00Z', reason: 'callers complained about the new greeting' };
  const named = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name}-${index}`);
  const resent = [
    'settings.description',
    'settings.callerResponseTimeout',
    'settings.autoRecordingNotification',
    'settings.recordingNotificationPhrase',
    'transferRules.cnamAutoRejectRegex',
  ].map((path) => change({ path, to: 'always', cause: 'unverified' }));
  const rule = change({ path: 'settings.publicInstructions', from: '- No prices.', to: '- You may quote prices.' });
  return plan(
    [
      resource({
        name: 'after-hours',
        lastApply: edited,
        changes: [
          change({
            path: 'settings.welcomeMessage',
            cause: 'conflict',
            lastApplied: 'You have reached Elm Street Dental. We are closed right now, and I can take a message.',
            from: 'You have reached Elm Street Dental. We are closed until Monday, and I can take a message.',
            to: 'You have reached Elm Street Dental. Our office is closed, but I can take a message for you.',
          }),
          change({ path: 'settings.heartbeatEvery', from: '30m', to: '15m' }),
          change({ path: 'settings.preAnswerRingTime', to: 6, cause: 'unverified' }),
          ...resent,
        ],
      }),
      resource({
        name: 'web-chat',
        lastApply: edited,
        changes: [
          change({ path: 'settings.agentVoice', from: 'warm-2', to: 'warm-1', cause: 'drift' }),
          change({
            path: 'settings.agentInstructions',
            from: `${lines.join('\n')}\n- Whitening is 20% off in December.`,
            to: lines.join('\n'),
            cause: 'drift',
          }),
          ...resent,
        ],
      }),
      resource({
        name: 'billing',
        action: 'create',
        mayReplace: true,
        target: { host: 'service.example.com', query: { targetAccountId: '104' } },
        changes: [change({ to: 'Billing' })],
      }),
      ...['emergency-line', 'front-desk'].map((name) => resource({ name, warnings, changes: [change({ to: name })] })),
      ...named(38, 'reception').map((name) => resource({ name, changes: [rule] })),
      ...named(90, 'recall-line').map((name) => resource({ name, action: 'blocked', held, changes: [rule] })),
      ...named(12, 'archive').map(unchanged),
    ],
    {
      project: { name: 'Elm Street Dental', repository: 'https://git.example.com/elm-street/agents' },
      madeAt: '2026-11-26T11:05:00Z',
      from: {
        commit: '3f9c2ab'.padEnd(40, '0'),
        branch: 'longer-hours',
        author: 'octo-dev',
        pullRequest: {
          number: 148,
          title: 'Longer hours, higher deposit, new house rule',
          url: 'https://git.example.com/elm-street/agents/pull/148',
        },
      },
    },
  );
}

/** Returns a plan with the given number of agents, each with a different change. */
function largePlan(agents: number): Plan {
  return plan(
    Array.from({ length: agents }, (_, index) => {
      const from = lines.map((line) => `${line} It is that of agent ${index}.`).join('\n');
      const to = from.replace('Rule 30 ', `Rule thirty of agent ${index} `);
      return resource({ name: `agent-${index}`, changes: [change({ path: 'settings.agentInstructions', from, to })] });
    }),
  );
}

/** Returns a page that shows a comment with the width and text sizes of GitHub. */
function commentPage(markdown: string): string {
  const style = `
    body { margin: 0; padding: 16px; box-sizing: border-box; width: 960px; font: 14px/1.5 sans-serif }
    p, ul, table { margin: 0 0 16px } h3, h4 { margin: 24px 0 16px; line-height: 1.25; font-size: 14px }
    h3 { margin-top: 0; font-size: 17.5px } ul { padding-left: 28px } li + li { margin-top: 3.5px }
    sub { font-size: 75%; line-height: 0; position: relative; bottom: -0.25em } code { font-size: 85% }`;
  const boxes = markdownIt({ html: true }).render(markdown).replaceAll('[ ] ', '<input type="checkbox"> ');
  return `<!doctype html><meta charset="utf-8"><style>${style}</style>${boxes}`;
}

describeInBrowser('a plan in a browser', () => {
  let browser: Browser;
  let server: Server;
  let served = '';
  let address = '';
  let requests: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.setHeader('content-type', 'text/html').end(served);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const place = server.address();
    if (place === null || typeof place === 'string') throw new Error('the server has no port');
    address = `http://127.0.0.1:${place.port}`;
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    server.close();
  });

  async function open(page: string, { width = 1280, theme = 'light' } = {}): Promise<Page> {
    [served, requests] = [page, []];
    const tab = await browser.newPage();
    await tab.setBypassCSP(false);
    await tab.setViewport({ width, height: 800 });
    await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await tab.goto(`${address}/page`, { waitUntil: 'load' });
    return tab;
  }

  /** Returns the findings of axe-core on the page after unfolding all its parts. */
  async function findings(page: string, options: { width: number; theme: string }): Promise<string[]> {
    const tab = await open(page, options);
    await tab.setBypassCSP(true);
    await tab.reload();
    await tab.$$eval('details', (all) => {
      for (const one of all) one.open = true;
    });
    await tab.addScriptTag({ path: axe });
    const { violations } = (await tab.evaluate('axe.run()')) as AxeResults;
    const overflow = await tab.$eval('html', ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    await tab.close();
    return [
      ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
      ...(overflow > 0 ? [`wider than the screen by ${overflow} px`] : []),
    ];
  }

  test.each([
    { width: 360, theme: 'light' },
    { width: 360, theme: 'dark' },
    { width: 1280, theme: 'light' },
    { width: 1600, theme: 'dark' },
  ])('A page has no axe-core violations at $width px, $theme.', async (options) => {
    expect(await findings(renderPlanHtml(fullPlan()), options)).toEqual([]);
    expect(await findings(renderPlanHtml({ ...fullPlan(), refusals: [] }), options)).toEqual([]);
  });

  test('Pages of drift, of holds and of an empty plan have no axe-core violations.', async () => {
    const held = { by: 'octo-dev', since: '2026-11-20T10:00:00Z', reason: 'callers complained' };
    const holds = Array.from({ length: 90 }, (_, index) =>
      resource({ name: `line-${index}`, action: 'blocked', held }),
    );
    const options = { width: 360, theme: 'dark' };
    for (const page of [
      renderDriftHtml(richDrift()),
      renderPlanHtml(plan(holds)),
      renderPlanHtml(plan([unchanged('a')])),
    ])
      expect(await findings(page, options)).toEqual([]);
  });

  test('The table of contents beside a page wraps long titles, and cuts none.', async () => {
    const title = 'Front desk of Elm Street Dental on Wednesday evenings';
    const tab = await open(renderPlanHtml(plan([resource({ title, changes: [change()] })])));
    const entries = await tab.$$eval('.side a span', (all) =>
      all.map(({ innerText, scrollWidth, clientWidth, clientHeight }) => {
        return { text: innerText, isCut: scrollWidth > clientWidth, isWrapped: clientHeight > 30 };
      }),
    );
    expect(entries).toContainEqual({ text: title, isCut: false, isWrapped: true });
    expect(entries.filter(({ isCut }) => isCut)).toEqual([]);
    await tab.close();
  });

  test('A page shows every section, and each change in it.', async () => {
    const tab = await open(renderPlanHtml(fullPlan()));
    const headings = await tab.$$eval('h1, main h2, main h3', (all) => all.map(({ innerText }) => innerText));
    expect(headings.slice(0, 4)).toEqual([
      'Plan for production',
      'What stops this plan',
      'More new agents than allowed',
      'Changes',
    ]);
    expect(headings).toContain('Moved');
    expect(headings).toContain('Front desk of Elm Street Dental');
    expect(headings.at(-1)).toBe('For people who run commands');
    await tab.close();
  });

  test('The first change of a plan with four questions and a note begins within 800 px, and within 1,600 px on a telephone.', async () => {
    const asked = askedPlan([notice('not-validated', { names: ['futureSetting'] })]);
    expect(asked.questions).toHaveLength(4);
    for (const [width, max] of [
      [1280, 800],
      [360, 1600],
    ] as const) {
      const tab = await open(renderPlanHtml(asked), { width });
      expect(await tab.$eval('#changes .card', (one) => one.getBoundingClientRect().top)).toBeLessThanOrEqual(max);
      await tab.close();
    }
  });

  test('The table of changes of a comment with four questions begins within 800 px.', async () => {
    const tab = await open(commentPage(renderPlanMarkdown(askedPlan(), { page: 'https://git.example.com/page' })));
    expect(await tab.$$eval('li', (all) => all.length)).toBeGreaterThan(8);
    expect(await tab.$eval('table', (one) => one.getBoundingClientRect().top)).toBeLessThanOrEqual(800);
    await tab.close();
  });

  test('The titles of versions that cannot be chosen need one line each.', async () => {
    const both = change({ cause: 'conflict', lastApplied: 'Old', from: 'Live', to: 'New' });
    const tab = await open(renderPlanHtml(plan([resource({ changes: [both] })], { questions: [] })), { width: 360 });
    const heights = await tab.$$eval('.pick b', (all) => all.map((one) => one.getBoundingClientRect().height));
    expect(heights).toHaveLength(2);
    expect(Math.max(...heights)).toBeLessThan(30);
    await tab.close();
  });

  test('A page can be read by keyboard, and a link opens the closed section it leads to.', async () => {
    const tab = await open(renderPlanHtml(largePlan(20)));
    expect(await tab.$eval('#card-agent-2', (one) => one.hasAttribute('open'))).toBe(false);
    await tab.focus('#card-agent-2 > summary');
    await tab.keyboard.press('Space');
    expect(await tab.$eval('#card-agent-2', (one) => one.hasAttribute('open'))).toBe(true);
    await tab.focus('#card-agent-2 .diff details summary');
    await tab.keyboard.press('Space');
    expect(await tab.$eval('#card-agent-2 .diff details', (one) => one.hasAttribute('open'))).toBe(true);
    await tab.close();
  });

  test('A page takes its colours from the theme.', async () => {
    const colours = await Promise.all(
      ['light', 'dark'].map(async (theme) => {
        const tab = await open(renderPlanHtml(richPlan()), { theme });
        return tab.evaluate('getComputedStyle(document.body).backgroundColor');
      }),
    );
    expect(colours).toEqual(['rgb(246, 247, 249)', 'rgb(14, 17, 21)']);
  });

  test('A page shows on paper what is closed on the screen.', async () => {
    const tab = await open(renderPlanHtml(largePlan(20)));
    await tab.emulateMediaType('print');
    // The browser applies the print style with its next frame.
    const isVisible = "document.querySelector('#card-agent-19 .diff').checkVisibility({ contentVisibilityAuto: true })";
    await tab.waitForFunction(isVisible);
    expect(await tab.evaluate(isVisible)).toBe(true);
    await tab.close();
  });

  test('A page sends no request, and runs nothing that a text says.', async () => {
    const hostile = [
      `</script><script>fetch('${address}/script')</script>`,
      `<img src="${address}/img" onerror="fetch('${address}/error')">`,
      `"><link rel="stylesheet" href="${address}/link">`,
      `</style><style>body { background: url(${address}/style) }</style>`,
      'javascript:alert(1)',
      'safe \u202e gnihtemos',
    ];
    const tab = await open(
      renderPlanHtml(
        plan([
          resource({
            warnings: hostile.map(saying),
            changes: hostile.map((text) => change({ from: `${text}\na`, to: `${text}\nb` })),
          }),
        ]),
      ),
    );
    await tab.$$eval('a, summary', (all) => {
      for (const one of all) one.click();
    });
    await tab.$$eval('details', (all) => {
      for (const one of all) one.open = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(requests).toEqual(['/page']);
    const text = await tab.$eval('body', (body) => body.innerText);
    expect(text).toContain('</script><script>fetch(');
    expect(text).toContain('safe \\u202e gnihtemos');
    await tab.close();
  });

  test('A page of 500 changed agents is small enough to open in a moment.', async () => {
    const page = renderPlanHtml(largePlan(500));
    expect(Buffer.byteLength(page)).toBeLessThan(2_000_000);
    const tab = await open(page);
    await tab.$eval('#changes', (one) => one.getBoundingClientRect().top);
    expect(await tab.evaluate('document.querySelectorAll("*").length')).toBeLessThan(45_000);
    await tab.close();
  });
});
