import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { apply } from '../../../src/commands/apply/apply.ts';
import { blame } from '../../../src/commands/history/blame.ts';
import { renderHistoryHtml } from '../../../src/commands/history/document.ts';
import { history } from '../../../src/commands/history/history.ts';
import { historyLines, renderHistoryCsv } from '../../../src/commands/history/text.ts';
import { hold, unhold } from '../../../src/commands/hold/hold.ts';
import { rollback } from '../../../src/commands/rollback/rollback.ts';
import { update } from '../../../src/commands/update/update.ts';
import { startEmulator } from '../../../src/emulator/emulator.ts';
import { typedAnswer } from '../../../src/plan/answers.ts';
import { decisionsOf } from '../../../src/plan/decisions.ts';
import type { Blame } from '../../../src/schemas/blame-types.ts';
import type { HistoryEntry } from '../../../src/schemas/history-types.ts';
import type { TestProject } from '../../support/cli.ts';
import { commitAll, git, gitEnv } from '../../support/git.ts';
import { testHost } from '../../support/host.ts';
import { type StoreSite, storesToTest, type TestedStore } from '../../support/stores.ts';

// Simulates random days of one agent, with a simple model of the events. History and blame must agree with the model.

const secret = 'a-key-of-the-team-9731';
const [greeting, instructions] = ['settings.welcomeMessage', 'settings.agentInstructions'] as const;
type Path = typeof greeting | typeof instructions;
type Values = Readonly<Record<Path, string>>;
type Event = Pick<HistoryEntry, 'at' | 'name' | 'event' | 'by' | 'commit'> & {
  readonly changes: readonly { readonly path: string; readonly from?: string; readonly to?: string }[];
};
type Line = Omit<Blame['lines'][number], 'line'>;
interface Author {
  readonly by: string;
  readonly commit: string;
}

interface Version {
  readonly name: string;
  readonly values: Values;
  readonly commit: string;
}

/** Makes a generator of numbers that look random but are the same in each run. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Place {
  readonly site: StoreSite;
  readonly project: TestProject;
  readonly baseUrl: string;
}

const projectFiles = (site: StoreSite, baseUrl: string): Record<string, string> => ({
  'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: [agents/*.yaml]
record: ${JSON.stringify(site.record)}
environments:
  test: { baseUrl: "${baseUrl}", token: "\${secret.TOKEN}" }
`,
});

class Simulation {
  readonly #place: Place;
  readonly #random: (below: number) => number;
  readonly #events: Event[] = [];
  /** The simulated time in minutes since the start. The time increases with each run. */
  #minutes = 0;
  readonly #start: number;
  #name = 'desk-0';
  #formerNames: string[] = [];
  #count = 0;
  /** The values in the manifest, in the last apply and on the service. */
  #manifest: Values = { [greeting]: '', [instructions]: '' };
  #applied: Values = this.#manifest;
  #live: Values = this.#manifest;
  /** The applied values of each version, with the name and commit that they come from. */
  readonly #versions: Version[] = [];
  #lines: Line[] = [];
  /** The author of each line of the instructions, by commit. */
  readonly #authors = new Map<string, ReadonlyMap<string, Author>>();
  #head = '';
  /** The commit in the record. */
  #recorded = '';

  constructor(place: Place, seed: number) {
    this.#place = place;
    this.#random = numbersFrom(seed);
    this.#start = Date.now() - 2_000 * 60_000;
  }

  async run(steps: number): Promise<void> {
    await this.#begin();
    const deeds = [
      () => this.#change(),
      () => this.#undoEdit(),
      () => this.#keepEdit(),
      () => this.#answerKeep(),
      () => this.#takeOverEdit(),
      () => this.#rename(),
      () => this.#rollBack(),
      () => this.#holdAndRelease(),
    ];
    // Does each deed once, and then chooses deeds at random.
    for (let step = 0; step < steps; step += 1)
      await deeds[step < deeds.length ? step : this.#random(deeds.length)]?.();
  }

  /** Compares the model with the output of the commands. */
  async check(): Promise<void> {
    const found = await history(this.#host(), this.#options({ names: [this.#name] }));
    const asLines = [...historyLines(found)].map((line) => JSON.parse(line) as HistoryEntry);
    expect(asLines.map(shown)).toEqual(this.#events);
    expect(found.entries.map((entry) => ({ formatVersion: 1, ...entry }))).toEqual(asLines.toReversed());
    expect(found.warnings).toBeUndefined();
    for (const text of [JSON.stringify(found), renderHistoryCsv(found), renderHistoryHtml(found)])
      expect(text).not.toMatch(new RegExp(`${secret}|token-of-the-test`));
    const middle = this.#events[this.#events.length >> 1]?.at ?? '';
    const later = await history(this.#host(), this.#options({ names: [], since: middle, path: greeting }));
    const isLater = ({ at }: Event) => at >= middle;
    const ofGreeting = this.#events.filter(isLater).flatMap((event) => {
      const changes = event.changes.filter(({ path }) => path === greeting);
      return changes.length === 0 ? [] : [{ ...event, changes }];
    });
    expect(later.entries.toReversed().map(shown)).toEqual(ofGreeting);
    const { lines } = await blame(this.#host(), this.#options({ name: this.#name, path: instructions }));
    const authors = this.#authors.get(this.#recorded);
    const blamed = this.#lines.map((line, index) => ({
      ...{ line: index + 1, ...authors?.get(line.text), ...line },
      ...(line.event === 'edit-kept' && { by: 'dashboard' }),
    }));
    expect(lines).toEqual(blamed);
  }

  #host() {
    const now = new Date(this.#start + this.#minutes * 60_000);
    const env = { ...gitEnv, ...this.#place.site.env, TOKEN: 'token-of-the-test', KEY: secret, GITHUB_ACTOR: 'mona' };
    return { ...testHost(env), now: () => now };
  }

  #next(): string {
    this.#minutes += 1;
    return new Date(this.#start + this.#minutes * 60_000).toISOString();
  }

  #options<More extends object>(more: More) {
    return { project: this.#place.project.root, environment: 'test', concurrency: 2, ...more };
  }

  get #running() {
    return this.#options({ names: [], signal: new AbortController().signal, confirm: async () => true });
  }

  #line(): string {
    this.#count += 1;
    return `Rule ${this.#count}: say the word ${'abcdefghij'[this.#random(10)]}${this.#count}.`;
  }

  /** A text with one line added, removed or replaced. */
  #edited(text: string): string {
    const lines = text.split('\n');
    const at = this.#random(lines.length);
    const deed = lines.length < 3 ? 0 : this.#random(3);
    lines.splice(at, deed === 0 ? 0 : 1, ...(deed === 2 ? [] : [this.#line()]));
    return lines.join('\n');
  }

  async #commit(): Promise<void> {
    const { root } = this.#place.project;
    const author = ['Anna', 'Bela', 'Cleo'][this.#random(3)] ?? 'Anna';
    await git(root, 'add', '--all');
    const as = ['-c', 'core.hooksPath=/dev/null'];
    await git(
      root,
      ...as,
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'change',
      '--author',
      `${author} <a@example.com>`,
    );
    const before = this.#authors.get(this.#head) ?? new Map();
    this.#head = await git(root, 'rev-parse', 'HEAD');
    const lines = this.#manifest[instructions].split('\n');
    const own = lines.map((line): [string, Author] => [line, before.get(line) ?? { by: author, commit: this.#head }]);
    this.#authors.set(this.#head, new Map(own));
  }

  /** The file store has the history of the project's repository. */
  async #commitRecords(): Promise<void> {
    if (this.#place.site.record.store !== 'file') return;
    const before = this.#authors.get(this.#head);
    this.#head = await commitAll(this.#place.project.root, 'records');
    if (before !== undefined) this.#authors.set(this.#head, before);
  }

  async #write(values: Values): Promise<void> {
    this.#manifest = values;
    const { project } = this.#place;
    const [former] = this.#formerNames;
    await project.write('prompts/desk.md', `${values[instructions]}\n`);
    await project.write(
      'agents/desk.yaml',
      `apiVersion: agentform/v1
kind: Agent
name: ${this.#name}
${former === undefined ? '' : `renamedFrom: ${former}\n`}settings:
  title: Desk
  description: Answers.
  agentVoice: warm-1
  agentLang: en-US
  welcomeMessage: ${JSON.stringify(values[greeting])}
  agentInstructions: { file: ../prompts/desk.md }
  publicInstructions: Never say \${secret.KEY}.
`,
    );
    await this.#commit();
  }

  async #edit(values: Partial<Values>): Promise<void> {
    this.#live = { ...this.#live, ...values };
    const { baseUrl } = this.#place;
    const { agents } = JSON.parse(await (await fetch(`${baseUrl}/__emulator/state`)).text());
    const [{ id }] = agents;
    const body = Object.fromEntries(Object.entries(values).map(([path, value]) => [path.split('.')[1], value]));
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${baseUrl}/__emulator/agents/${id}`, {
      method: 'PATCH',
      headers,
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
  }

  async #apply(options: { answers?: string[]; isFirst?: boolean } = {}): Promise<string> {
    const at = this.#next();
    const answers = (options.answers ?? []).map(typedAnswer);
    const decisions = decisionsOf({ new: options.isFirst ? ['all'] : [] });
    const { ledger } = await apply(this.#host(), { ...this.#running, decisions, answers });
    expect(ledger.entries.map(({ outcome }) => outcome)).not.toContain('failed');
    expect(ledger.entries.flatMap(({ reasons = [] }) => reasons)).toEqual([]);
    return at;
  }

  /** Records that the service now has the manifest's values. */
  #isApplied(event: Line['event'] | 'none', at: string, commit = this.#head): void {
    this.#recorded = commit;
    const before = new Map(this.#lines.map((line) => [line.text, line]));
    const lines = this.#manifest[instructions].split('\n');
    if (event !== 'none') this.#lines = lines.map((text) => before.get(text) ?? { text, at, event });
    this.#applied = this.#manifest;
    this.#live = this.#manifest;
    this.#versions.push({ name: this.#name, values: this.#applied, commit });
  }

  #add(event: Omit<Event, 'name' | 'changes'> & Partial<Event>): void {
    this.#events.push({ name: this.#name, changes: [], ...event });
  }

  #changes(from: Values, to: Values, paths: readonly Path[] = [instructions, greeting]) {
    return paths
      .filter((path) => from[path] !== to[path])
      .map((path) => ({ path, from: from[path], to: to[path] }))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  async #begin(): Promise<void> {
    await this.#write({
      [greeting]: 'Hello 0.',
      [instructions]: [this.#line(), this.#line(), this.#line()].join('\n'),
    });
    const at = await this.#apply({ isFirst: true });
    const { [instructions]: text, [greeting]: hello } = this.#manifest;
    const changes = [
      { path: instructions, to: text },
      { path: greeting, to: hello },
    ];
    this.#add({ at, event: 'create', by: 'mona', commit: this.#head, changes });
    this.#isApplied('create', at);
    await this.#commitRecords();
  }

  #otherValues(): Values {
    const values = { ...this.#manifest };
    const which = this.#random(3);
    if (which !== 0) values[instructions] = this.#edited(values[instructions]);
    if (which !== 1) values[greeting] = `Hello ${this.#line()}`;
    return values;
  }

  async #change(): Promise<void> {
    const before = this.#applied;
    await this.#write(this.#otherValues());
    const at = await this.#apply();
    const changes = this.#changes(before, this.#manifest);
    this.#add({ at, event: 'apply', by: 'mona', commit: this.#head, changes });
    this.#isApplied('apply', at);
    await this.#commitRecords();
  }

  #randomEdit(): Partial<Values> {
    return this.#random(2) === 0
      ? { [greeting]: `Edited ${this.#line()}` }
      : { [instructions]: this.#edited(this.#live[instructions]) };
  }

  /** Makes an edit and undoes it, sometimes together with a change to another setting. */
  async #undoEdit(): Promise<void> {
    const holdsSecret = this.#random(3) === 0;
    const edit = holdsSecret ? { [greeting]: `Edited ${this.#line()} ${secret}` } : this.#randomEdit();
    await this.#edit(edit);
    const [live, before] = [this.#live, this.#applied];
    const [path] = Object.keys(edit) as Path[];
    const other = path === greeting ? instructions : greeting;
    const isAlone = this.#random(2) === 0;
    if (!isAlone)
      await this.#write({
        ...this.#manifest,
        [other]: other === greeting ? `Hello ${this.#line()}` : this.#edited(this.#manifest[other]),
      });
    const at = await this.#apply();
    const about = { at, by: 'mona', commit: this.#head };
    if (!isAlone) this.#add({ ...about, event: 'apply', changes: this.#changes(before, this.#manifest, [other]) });
    const undone = this.#changes(live, this.#manifest, path && [path]).map(({ from, ...rest }) =>
      holdsSecret ? rest : { ...rest, from },
    );
    this.#add({ ...about, event: 'edit-undone', changes: undone });
    this.#isApplied('apply', at);
    await this.#commitRecords();
  }

  /** Copies the edit into the files with `update`. The next apply finds it there. */
  async #keepEdit(): Promise<void> {
    await this.#edit(this.#randomEdit());
    const [live, before] = [this.#live, this.#applied];
    this.#next();
    const options = { ...this.#running, names: [this.#name], fields: [], dryRun: false };
    await update(this.#host(), options);
    this.#manifest = live;
    await this.#commit();
    const at = await this.#apply();
    this.#add({ at, event: 'edit-kept', by: 'mona', commit: this.#head, changes: this.#changes(before, live) });
    this.#isApplied('edit-kept', at);
    await this.#commitRecords();
  }

  /** Answers that the edit stays. Later, the edit is released and undone. */
  async #answerKeep(): Promise<void> {
    await this.#edit(this.#randomEdit());
    const [live, before] = [this.#live, this.#applied];
    const kept = await this.#apply({ answers: [`Agent/${this.#name}/drift=keep`] });
    this.#add({ at: kept, event: 'edit-kept', by: 'mona', changes: this.#changes(before, live) });
    await this.#commitRecords();
    await this.#release();
    const at = await this.#apply();
    this.#add({
      at,
      event: 'edit-undone',
      by: 'mona',
      commit: this.#head,
      changes: this.#changes(live, this.#manifest),
    });
    this.#isApplied('none', at);
    await this.#commitRecords();
  }

  async #release(): Promise<void> {
    const at = this.#next();
    await unhold(this.#host(), this.#options({ names: [this.#name] }));
    this.#add({ at, event: 'unhold', by: 'mona' });
    await this.#commitRecords();
  }

  /** Changes the same setting in the manifest and in the dashboard. The manifest wins. */
  async #takeOverEdit(): Promise<void> {
    await this.#edit({ [greeting]: `Edited ${this.#line()}` });
    const [live, before] = [this.#live, this.#applied];
    await this.#write({ ...this.#manifest, [greeting]: `Hello ${this.#line()}` });
    const at = await this.#apply({ answers: [`Agent/${this.#name}/conflict=take`] });
    const about = { at, by: 'mona', commit: this.#head };
    this.#add({ ...about, event: 'apply', changes: this.#changes(before, this.#manifest) });
    this.#add({ ...about, event: 'edit-undone', changes: this.#changes(live, this.#manifest) });
    this.#isApplied('apply', at);
    await this.#commitRecords();
  }

  async #rollBack(): Promise<void> {
    const names = [this.#name, this.#formerNames[0]];
    const isOther = ({ name, values }: Version) =>
      names.includes(name) && this.#changes(values, this.#applied).length > 0;
    const version = this.#versions.findLast(isOther);
    if (version === undefined) return this.#change();
    const [asked, before] = [this.#manifest, this.#applied];
    const at = this.#next();
    const { ledger } = await rollback(this.#host(), {
      ...this.#running,
      names: [this.#name],
      reason: 'callers complain',
    });
    expect(ledger.entries).toMatchObject([{ outcome: 'applied' }]);
    this.#manifest = version.values;
    const about = { by: 'mona', commit: version.commit };
    this.#add({ ...about, at, event: 'rollback', changes: this.#changes(before, version.values) });
    this.#isApplied('rollback', at, version.commit);
    this.#manifest = asked;
    await this.#commitRecords();
    await this.#release();
    const again = await this.#apply();
    this.#add({
      ...{ at: again, event: 'apply', by: 'mona', commit: this.#head },
      changes: this.#changes(version.values, asked),
    });
    this.#isApplied('apply', again);
    await this.#commitRecords();
  }

  async #rename(): Promise<void> {
    const former = this.#name;
    this.#formerNames.unshift(former);
    this.#name = `desk-${this.#formerNames.length}`;
    await this.#write(this.#manifest);
    const at = await this.#apply();
    const changes = [{ path: 'name', from: former, to: this.#name }];
    this.#add({ at, event: 'rename', by: 'mona', commit: this.#head, changes });
    this.#versions.push({ name: this.#name, values: this.#applied, commit: this.#recorded });
    await this.#commitRecords();
  }

  async #holdAndRelease(): Promise<void> {
    const at = this.#next();
    await hold(this.#host(), this.#options({ names: [this.#name], reason: 'holidays' }));
    this.#add({ at, event: 'hold', by: 'mona' });
    await this.#commitRecords();
    await this.#release();
  }
}

/** Returns an event with only the settings and members that the model knows. */
function shown({ at, name, event, by, commit, changes }: HistoryEntry): Event {
  const known = changes.filter(({ path }) => path === greeting || path === instructions || path === 'name');
  return {
    ...{ at, name, event },
    ...(by !== undefined && { by }),
    ...(commit !== undefined && { commit }),
    changes: known.map(({ path, from, to }) => ({
      path,
      ...(typeof from === 'string' && { from }),
      ...(typeof to === 'string' && { to }),
    })),
  };
}

/** Compares history and blame with the model after the given number of random deeds, in each store. */
export function testEachStore(
  title: string,
  { seed, deeds, timeout }: { seed: number; deeds: number; timeout?: number },
) {
  describe.each(storesToTest('file'))('in the %s store', (_name, start) => {
    let tested: TestedStore;
    let clean: (() => Promise<void>) | undefined;

    beforeAll(async () => {
      tested = await start();
    });
    afterAll(() => tested.stop());
    afterEach(() => clean?.());

    test(
      title,
      async () => {
        const { simulation, remove } = await simulated(tested, seed);
        clean = remove;
        await simulation.run(deeds);
        await simulation.check();
      },
      timeout,
    );
  });
}

/** Makes a simulation on a store, with a separate emulator. */
async function simulated(
  tested: TestedStore,
  seed: number,
): Promise<{ readonly simulation: Simulation; readonly remove: () => Promise<void> }> {
  const data = await mkdtemp(join(tmpdir(), 'agentform-emulator-'));
  const emulator = await startEmulator({ dataFile: join(data, 'emulator.json') });
  const site = await tested.site();
  const project = await site.project(projectFiles(site, emulator.baseUrl));
  if (!existsSync(join(project.root, '.git'))) await git(project.root, 'init', '--quiet', '--initial-branch=main');
  return {
    simulation: new Simulation({ site, project, baseUrl: emulator.baseUrl }, seed),
    async remove() {
      await site.remove();
      await emulator.close();
      await rm(data, { recursive: true, force: true });
    },
  };
}
