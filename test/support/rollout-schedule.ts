import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { apply } from '../../src/commands/apply/apply.ts';
import { unhold } from '../../src/commands/hold/hold.ts';
import { plan, savePlan } from '../../src/commands/plan/plan.ts';
import { rollback } from '../../src/commands/rollback/rollback.ts';
import { AgentformError } from '../../src/errors.ts';
import { addressOf } from '../../src/kinds/desired.ts';
import { type Decisions, decisionsOf } from '../../src/plan/decisions.ts';
import { planJson } from '../../src/report/json.ts';
import type { Host } from '../../src/session/host.ts';
import { type Workplace, workplace } from './in-process.ts';
import { type IndependentServer, type LoggedCall, type Reply, startIndependentServer } from './independent-server.ts';

// This file plays random schedules of a rollout on a service. It checks the service's journal with its own rules, and
// shares no code with the rollout. The schedule sets the service's clock, and gives the machine's clock an error.

const minute = 60_000;
const rings = ['canary', 'early', 'late', 'none'] as const;

export interface ScheduledStep {
  readonly select?: (typeof rings)[number];
  readonly share?: number;
  /** The wait after the previous step, in minutes. */
  readonly after: number;
}

export interface Schedule {
  readonly agents: readonly (typeof rings)[number][];
  readonly steps: readonly ScheduledStep[];
  readonly stop: { readonly failed: number; readonly held: number };
  /** The error of the machine's clock, in minutes. */
  readonly skew: number;
  readonly events: readonly ScheduledEvent[];
}

export type ScheduledEvent =
  | { readonly do: 'commit to all' }
  | { readonly do: 'change the variable' }
  | { readonly do: 'wait'; readonly minutes: number }
  | { readonly do: 'apply'; readonly only?: (typeof rings)[number] | undefined }
  | { readonly do: 'apply twice at once' }
  | { readonly do: 'add a client' }
  | { readonly do: 'relabel'; readonly agent: number; readonly ring: (typeof rings)[number] }
  | { readonly do: 'commit to one' | 'edit in the dashboard' | 'fail once'; readonly agent: number }
  /** The run is killed before all of its records are saved. The bits of `kept` select the records that were saved. */
  | { readonly do: 'apply and die'; readonly kept: number }
  | { readonly do: 'roll back the last apply' }
  | { readonly do: 'release all' };

const ring = fc.constantFrom(...rings);
const agent = fc.nat(5);

const step: fc.Arbitrary<ScheduledStep> = fc
  .tuple(fc.boolean(), ring, fc.constantFrom(20, 50, 100), fc.constantFrom(0, 0, 60, 1440))
  .map(([isSelect, select, share, after]) => (isSelect ? { select, after } : { share, after }));

const event: fc.Arbitrary<ScheduledEvent> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ do: 'commit to all' } as const) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(10, 70, 1500) }) },
  { weight: 6, arbitrary: fc.constant({ do: 'apply' } as const) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('apply' as const), only: ring }) },
  { weight: 1, arbitrary: fc.constantFrom({ do: 'change the variable' }, { do: 'apply twice at once' }) },
  { weight: 1, arbitrary: fc.constantFrom({ do: 'add a client' }, { do: 'release all' }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('relabel' as const), agent, ring }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('commit to one' as const, 'edit in the dashboard' as const, 'fail once' as const),
      agent,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('apply and die' as const), kept: fc.nat(255) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'roll back the last apply' } as const) },
) as fc.Arbitrary<ScheduledEvent>;

export const schedules: fc.Arbitrary<Schedule> = fc.record({
  agents: fc.array(ring, { minLength: 2, maxLength: 5 }),
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  stop: fc.record({ failed: fc.constantFrom(0, 0, 1), held: fc.constantFrom(0, 0, 1) }),
  skew: fc.constantFrom(0, -20_000, 20_000),
  events: fc.array(event, { minLength: 4, maxLength: 9 }),
});

interface Client {
  readonly name: string;
  readonly id: string;
  ring: (typeof rings)[number];
  /** A number that changes only when this client's manifest changes. */
  own: number;
}

/** The last content that agentform wrote to an agent, and the time of that write, according to the journal. */
interface Applied {
  readonly content: string;
  readonly since: number;
}

const token = 'tok/S3cret+value=1';

/** Plays a schedule. Throws if a write is too early, or if an agent lacks the newest content at the end. */
export async function playSchedule(schedule: Schedule): Promise<void> {
  const world = await World.open(schedule);
  try {
    await world.apply();
    for (const one of schedule.events) await world.play(one);
    await world.finish();
  } finally {
    await world.close();
  }
}

class World {
  readonly #schedule: Schedule;
  readonly #service: IndependentServer;
  readonly #place: Workplace;
  readonly #clients: Client[] = [];
  readonly #applied = new Map<string, Applied>();
  /** The content of the last failed write, by client name. */
  readonly #failed = new Map<string, string>();
  readonly #failing = new Set<string>();
  readonly #held = new Set<string>();
  readonly #edited = new Set<string>();
  /** Agents that a killed run wrote but did not record. To later runs, these writes look like edits on the service. */
  readonly #unrecorded = new Set<string>();
  readonly #early: string[] = [];
  #version = 0;
  #variable = 0;
  #now = Date.UTC(2026, 10, 1);
  #isRollingBack = false;
  #lastPlan: string | undefined;

  static async open(schedule: Schedule): Promise<World> {
    const service = await startIndependentServer();
    const world = new World(schedule, service, await workplace({}, { AGENT_TOKEN: token }));
    service.before = (call) => world.#before(call);
    service.after = (call, reply) => world.#after(call, reply);
    for (const own of schedule.agents) world.#add(own);
    await world.#write();
    return world;
  }

  private constructor(schedule: Schedule, service: IndependentServer, place: Workplace) {
    this.#schedule = schedule;
    this.#service = service;
    this.#place = place;
    this.#setClock();
  }

  async close(): Promise<void> {
    await this.#service.close();
    await this.#place.remove();
  }

  #setClock(): void {
    this.#service.quirks = { ...this.#service.quirks, date: new Date(this.#now).toUTCString() };
  }

  #add(own: Client['ring']): void {
    const name = `client-${this.#clients.length}`;
    const { id } = this.#service.seed(token, { type: 'chatAgent', title: 'Before', description: 'D' }, name);
    this.#clients.push({ name, id, ring: own, own: 0 });
  }

  /** Returns the current declared content of a client. */
  #declared({ own }: Client): string {
    return `v${this.#version} own ${own} site ${this.#variable}`;
  }

  async #write(): Promise<void> {
    const { steps, stop } = this.#schedule;
    const written = steps.map(({ select, share, after }) => {
      const chosen = share === undefined ? `select: ring=${select}` : `share: ${share}%`;
      return `        - { ${chosen}, after: ${after}m }`;
    });
    const project = [
      'apiVersion: agentform/v1',
      'kind: Project',
      'manifests: ["agents/*.yaml"]',
      'service: { readBack: 0 }',
      'environments:',
      '  production:',
      `    baseUrl: ${this.#service.baseUrl}`,
      '    token: ${secret.AGENT_TOKEN}',
      `    variables: { site: ${this.#variable} }`,
      '    rollout:',
      '      steps:',
      ...written,
      `      stop: { failed: ${stop.failed}, held: ${stop.held} }`,
    ];
    await this.#place.write('agentform.yaml', `${project.join('\n')}\n`);
    for (const { name, id, ring: label, own } of this.#clients) {
      const lines = [
        'apiVersion: agentform/v1',
        'kind: Agent',
        `name: ${name}`,
        `labels: { ring: ${label} }`,
        `target: { agentId: ${id}, query: { targetAccountId: ${name} } }`,
        `settings: { title: 'v${this.#version} own ${own} site \${var.site}', description: D }`,
      ];
      await this.#place.write(`agents/${name}.yaml`, `${lines.join('\n')}\n`);
    }
  }

  // The next methods check each write before the service carries it out.

  #before(call: LoggedCall) {
    if (call.method !== 'POST') return undefined;
    const client = this.#clients.find(({ name }) => name === call.query.targetAccountId);
    if (client === undefined) throw new Error('a write went to no client');
    const content = String(call.body?.title);
    if (!this.#isRollingBack) this.#judge(client, content);
    if (this.#failing.delete(client.name)) {
      this.#failed.set(client.name, content);
      return { status: 400, body: JSON.stringify({ success: false, message: 'no' }) };
    }
    return undefined;
  }

  #after(call: LoggedCall, { status }: Reply) {
    const name = call.query.targetAccountId;
    if (call.method !== 'POST' || status !== 200 || name === undefined) return undefined;
    const content = String(call.body?.title);
    const before = this.#applied.get(name);
    const since = before?.content === content ? before.since : this.#now;
    this.#applied.set(name, { content, since });
    return undefined;
  }

  /** Throws if new content arrives too early, before the agents of earlier steps have had it for the required time. */
  #judge(client: Client, content: string): void {
    if (this.#applied.get(client.name)?.content === content) return;
    const own = this.#stepOf(client);
    const wait = (this.#schedule.steps[own]?.after ?? 0) * minute;
    const lacking = this.#clients.filter((other) => {
      const has = this.#applied.get(other.name);
      if (this.#stepOf(other) >= own) return false;
      return has?.content !== this.#declared(other) || has.since + wait > this.#now;
    });
    const held = lacking.filter(({ name }) => this.#held.has(name));
    const failed = lacking.filter((one) => !this.#held.has(one.name) && this.#hasFailed(one));
    const { stop } = this.#schedule;
    if (held.length <= stop.held && failed.length <= stop.failed && held.length + failed.length === lacking.length)
      return;
    const names = lacking.map(({ name }) => name).join(', ');
    this.#early.push(`${client.name} (step ${own + 1}) got "${content}" before ${names}`);
  }

  /**
   * Returns whether the client has failed. If a new version changes a setting that was edited on the service, this is a
   * conflict, which counts as a failure.
   */
  #hasFailed(client: Client): boolean {
    const { name } = client;
    return this.#failed.get(name) === this.#declared(client) || this.#edited.has(name) || this.#unrecorded.has(name);
  }

  #stepOf({ name, ring: label }: Client): number {
    const { steps } = this.#schedule;
    const selected = steps.findIndex(({ select }) => select === label);
    if (selected >= 0) return selected;
    const place = Number.parseInt(createHash('sha256').update(name).digest('hex').slice(0, 12), 16) / 16 ** 12;
    const shared = steps.findIndex(({ share }) => share !== undefined && place * 100 < share);
    return shared >= 0 ? shared : steps.length - 1;
  }

  // The next methods carry out one event.

  async play(one: ScheduledEvent): Promise<void> {
    switch (one.do) {
      case 'commit to all':
        this.#version += 1;
        return this.#write();
      case 'change the variable':
        this.#variable += 1;
        return this.#write();
      case 'commit to one':
        this.#clientAt(one.agent).own += 1;
        return this.#write();
      case 'relabel':
        this.#clientAt(one.agent).ring = one.ring;
        return this.#write();
      case 'add a client':
        this.#add('late');
        return this.#write();
      case 'wait':
        this.#now += one.minutes * minute;
        return this.#setClock();
      case 'apply':
        await this.apply(one.only);
        return;
      case 'apply twice at once':
        await Promise.all([this.apply(), this.apply()]);
        return;
      case 'apply and die':
        return this.#applyAndDie(one.kept);
      case 'edit in the dashboard':
        return this.#edit(this.#clientAt(one.agent));
      case 'fail once':
        this.#failing.add(this.#clientAt(one.agent).name);
        return;
      case 'roll back the last apply':
        return this.#rollBack();
      case 'release all':
        return this.#release();
    }
  }

  #clientAt(index: number): Client {
    const client = this.#clients[index % this.#clients.length];
    if (client === undefined) throw new Error('there are no clients');
    return client;
  }

  #edit({ id, name }: Client): void {
    this.#service.edit(id, { title: 'Edited' });
    this.#edited.add(name);
  }

  get #host(): Host {
    const { skew } = this.#schedule;
    return { ...this.#place.host, now: () => new Date(this.#now + skew * minute) };
  }

  #options() {
    return { project: this.#place.root, names: [], concurrency: 4, signal: new AbortController().signal };
  }

  /** Runs an apply. Returns whether all agents have their declared content afterwards. */
  async apply(only?: Client['ring'], decisions: Decisions = []): Promise<boolean> {
    const selector = only === undefined ? {} : { selector: `ring=${only}` };
    if (this.#schedule.events.some((one) => one.do === 'roll back the last apply')) {
      await this.#allowed(async () => {
        const { plan: made } = await plan(this.#host, { ...this.#options(), ...selector });
        this.#lastPlan = join(this.#place.root, '.plan.json');
        await savePlan(made, this.#lastPlan, planJson(made));
      });
    }
    let isDone = false;
    await this.#allowed(async () => {
      const { ledger } = await apply(this.#host, {
        ...{ ...this.#options(), ...selector, decisions },
        confirm: async () => true,
      });
      isDone = ledger.entries.every(({ outcome }) => outcome === 'unchanged');
    });
    for (const client of this.#clients) {
      const live = this.#service.agents().find(({ id }) => id === client.id)?.settings.title;
      if (live !== 'Edited') this.#edited.delete(client.name);
      if (live === this.#declared(client)) this.#unrecorded.delete(client.name);
    }
    return isDone;
  }

  /**
   * Runs an apply, and then restores the earlier records of some agents, as if the run had been killed after its
   * writes.
   */
  async #applyAndDie(kept: number): Promise<void> {
    const before = await this.#records();
    await this.apply();
    const after = await this.#records();
    for (const [index, path] of [...after.keys()].sort().entries()) {
      if ((kept >> index) % 2 === 1) continue;
      const text = before.get(path);
      if (text !== after.get(path)) this.#unrecorded.add(basename(path, '.json'));
      if (text === undefined) await rm(path);
      else await writeFile(path, text);
    }
  }

  async #records(): Promise<Map<string, string>> {
    const folder = join(this.#place.root, '.agentform/records/production/Agent');
    await mkdir(folder, { recursive: true });
    const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
    return new Map(
      await Promise.all(
        names.map(async (name): Promise<[string, string]> => {
          const path = join(folder, name);
          return [path, await readFile(path, 'utf8')];
        }),
      ),
    );
  }

  async #rollBack(): Promise<void> {
    const from = this.#lastPlan;
    if (from === undefined) return;
    this.#isRollingBack = true;
    await this.#allowed(async () => {
      const { ledger } = await rollback(this.#host, { ...this.#options(), from, confirm: async () => true });
      for (const { name, outcome } of ledger.entries) if (outcome === 'applied') this.#held.add(name);
    });
    this.#isRollingBack = false;
  }

  async #release(): Promise<void> {
    await this.#allowed(() => unhold(this.#host, { ...this.#options(), names: ['*'] }));
    this.#held.clear();
  }

  /**
   * Runs an action and ignores refusals. Some actions are refused in some states. For example, a rollback is refused if
   * there are no earlier values.
   */
  async #allowed(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof AgentformError)) throw error;
    }
  }

  /**
   * Returns the decision to overwrite unrecorded writes of a killed run, as a person would decide. Otherwise, these
   * writes conflict with later changes.
   */
  async #overwriting(): Promise<Decisions> {
    const { plan: made } = await plan(this.#host, this.#options());
    const inConflict = made.resources.filter(({ changes }) => changes.some(({ cause }) => cause === 'conflict'));
    return decisionsOf({ overwrite: inConflict.map(addressOf) });
  }

  /** Continues until every agent has the newest content. Throws if that never happens, or if a write was too early. */
  async finish(): Promise<void> {
    this.#failing.clear();
    for (const { id, name } of this.#clients) {
      const has = this.#applied.get(name);
      if (has !== undefined) this.#service.edit(id, { title: has.content });
    }
    this.#edited.clear();
    for (let round = 0; round <= this.#schedule.steps.length + 2; round += 1) {
      if (this.#held.size > 0) await this.#release();
      this.#now += 3000 * minute;
      this.#setClock();
      if (await this.apply(undefined, await this.#overwriting())) break;
    }
    if (this.#early.length > 0) throw new Error(this.#early.join('\n'));
    const { plan: last } = await plan(this.#host, this.#options());
    for (const client of this.#clients) {
      const live = this.#service.agents().find(({ id }) => id === client.id)?.settings.title;
      const wanted = this.#declared(client);
      if (live !== wanted) throw new Error(`${client.name} has "${String(live)}" in the end, and not "${wanted}"`);
    }
    const left = last.resources.filter(({ action }) => action !== 'none');
    if (left.length > 0) throw new Error(`the last plan still has ${JSON.stringify(left)}`);
  }
}
