import { json, type LoggedCall, type Reply, type RequestText } from './independent-server.ts';

/**
 * An implementation of the nine operations that are not about agents, written only from the specification. The
 * operations refuse fields, query parameters, content types and types of values that the specification does not list.
 */
export interface StrictOperations {
  readonly answer: (call: LoggedCall, request: RequestText) => Reply | undefined;
  /** The requests that were carried out, as `METHOD path`. */
  readonly done: string[];
  /** The reasons why requests were refused. */
  readonly problems: string[];
  /** The rows of the accepted CSV files, without headers. */
  readonly rows: string[];
}

/** Returns the problem with a value, or undefined if the value is valid. */
type Check = (value: unknown) => string | undefined;

const ofType =
  (type: string): Check =>
  (value) =>
    typeof value === type ? undefined : `is no ${type}`;
const text = ofType('string');
const flag = ofType('boolean');
const whole: Check = (value) => (Number.isInteger(value) ? undefined : 'is no integer');
const matching =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? undefined : `does not match ${pattern}`;
const oneOf = (...values: readonly string[]): Check => matching(new RegExp(`^(${values.join('|')})$`));
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) ? value.map(check).find((problem) => problem !== undefined) : 'is no array';
const email = matching(/^[^@\s]+@[^@\s]+$/);
const anyObject: Check = (value) => (isObject(value) ? undefined : 'is no object');

function shape(fields: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  return (value) => {
    if (!isObject(value)) return 'is no object';
    const missing = required.find((name) => !(name in value));
    if (missing !== undefined) return `lacks ${missing}`;
    for (const [name, member] of Object.entries(value)) {
      const problem = fields[name] === undefined ? 'is not in the specification' : fields[name](member);
      if (problem !== undefined) return `${name} ${problem}`;
    }
    return undefined;
  };
}

const attachment = shape({
  filename: text,
  type: text,
  content: matching(/^[A-Za-z0-9+/]*={0,2}$/),
  disposition: text,
});
const task = shape(
  {
    type: oneOf('call', 'text', 'email', 'ping'),
    target: text,
    message: text,
    context: text,
    greeting: text,
    waitToGreet: flag,
    accountId: whole,
    scheduledFor: (value) => whole(value) ?? (Number(value) > 1e11 ? 'is in milliseconds' : undefined),
    meta: shape({
      email: shape({ subject: text, attachments: listOf(attachment) }),
      bridgeAfterAnswer: shape({ destination: text, monitor: flag }, ['destination']),
    }),
  },
  ['type'],
);
const provider = shape({ providerId: text, config: anyObject, default: flag }, ['providerId', 'config']);
const integration = shape({ appId: text, appVersion: text, appData: anyObject }, ['appId', 'appVersion', 'appData']);
const organization = shape(
  {
    orgName: text,
    email,
    accountName: text,
    orgAccountType: oneOf('internal', 'customer'),
    productPlanId: text,
    offeredProductPlanId: text,
    externalAccountId: text,
    externalBillingId: text,
    hipaaSetting: oneOf('on', 'off', 'inherit'),
    numberingProviders: listOf(provider),
    servicePremium: flag,
    smsEnabled: flag,
    smsBrandId: text,
    smsCampaignId: text,
    integrations: listOf(integration),
  },
  ['orgName'],
);
const membership = { email, role: text, permittedAccountIds: listOf(whole) };
const columns =
  'type target context taskContext greeting waitToGreet accountId scheduledFor message externalTaskId meta.email.subject meta.email.attachments'.split(
    ' ',
  );

interface Operation {
  /** The check for the JSON body. Forms are checked separately, and a GET has no body. */
  readonly body?: Check;
  /** The query parameters besides token and targetAccountId. A name that ends with `!` is required. */
  readonly query?: readonly string[];
  readonly reply: (call: LoggedCall) => Reply;
}

const said = (status: number, message: string) => () => json(status, { success: true, message });

const operations: Readonly<Record<string, Operation>> = {
  'POST /api/v2/tasks': { body: task, reply: said(201, 'Task created successfully') },
  'POST /api/v2/tasks/csv': { reply: said(200, 'Tasks accepted') },
  'POST /api/v2/createOrganization': {
    body: organization,
    query: ['targetResellerId!'],
    reply: ({ body }) =>
      json(201, { success: true, message: 'created', organization: { orgId: 77, name: body?.orgName } }),
  },
  'POST /api/v2/member': {
    body: shape({ ...membership, redirectUrl: matching(/^https?:/), sendWelcomeEmail: flag }, ['email']),
    reply: said(201, 'invited'),
  },
  'PUT /api/v2/member': {
    body: shape({ ...membership, targetMemberId: whole }, ['targetMemberId']),
    reply: said(200, 'updated'),
  },
  'POST /api/v2/context': { body: shape({ context: text, target: text }, ['context']), reply: said(201, 'added') },
  'POST /api/v2/agentUrl': {
    body: shape({ targetUsername: text, slug: text }, ['targetUsername', 'slug']),
    reply: ({ body }) => json(200, { success: true, slug: body?.slug }),
  },
  'POST /api/v2/phoneNumber/byo/assign': {
    body: shape({ number: matching(/^\+[1-9]\d{1,14}$/) }, ['number']),
    reply: said(200, 'assigned'),
  },
  'GET /api/v2/conversations': {
    query: ['pagination!', 'page', 'pageSize', 'unread'],
    reply: ({ query }) => {
      const page = Number(query.page ?? 0);
      const rooms =
        page < 2
          ? [{ roomId: `room-${page}`, id: page, name: `Room ${page}`, lastMessageTimestamp: 1_700_000_000 }]
          : [];
      return json(200, { pageSize: 1, pageNumber: page, totalRooms: 2, rooms });
    },
  },
};

export function strictOperations(): StrictOperations {
  const [done, problems, rows]: [string[], string[], string[]] = [[], [], []];
  return {
    done,
    problems,
    rows,
    answer(call, request) {
      const name = `${call.method} ${call.path}`;
      const operation = operations[name];
      if (operation === undefined) return undefined;
      const form = call.path.endsWith('/csv') ? partsOf(request) : undefined;
      const problem =
        flawOfQuery(call.query, operation) ??
        (form === undefined ? flawOfBody(call, request, operation) : flawOfForm(form));
      if (problem !== undefined) {
        problems.push(`${name}: ${problem}`);
        return json(400, { success: false, message: problem });
      }
      done.push(name);
      if (form?.dryRun === 'false') rows.push(...linesOf(form.csv ?? '').slice(1));
      return operation.reply(call);
    },
  };
}

function flawOfQuery(query: LoggedCall['query'], { query: own = [] }: Operation): string | undefined {
  const known = ['token', 'targetAccountId', ...own.map((name) => name.replace('!', ''))];
  const extra = Object.keys(query).find((name) => !known.includes(name));
  if (extra !== undefined) return `the query has ${extra}, which is not in the specification`;
  const missing = ['token!', ...own].find((name) => name.endsWith('!') && !query[name.replace('!', '')]);
  return missing === undefined ? undefined : `the query lacks ${missing}`;
}

function flawOfBody({ body }: LoggedCall, request: RequestText, operation: Operation): string | undefined {
  if (operation.body === undefined) return request.text === '' ? undefined : 'a GET has a body';
  if (!/^application\/json\b/.test(request.contentType)) return `the content type is ${request.contentType}`;
  return operation.body(body);
}

type Parts = Readonly<Record<string, string>>;

function partsOf({ contentType, text: body }: RequestText): Parts {
  const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(contentType)?.[1];
  if (boundary === undefined) return {};
  const pieces = body.split(`--${boundary}`).slice(1, -1);
  return Object.fromEntries(
    pieces.map((piece) => {
      const [head = '', ...rest] = piece.split('\r\n\r\n');
      return [/name="([^"]+)"/.exec(head)?.[1] ?? '?', rest.join('\r\n\r\n').slice(0, -2)];
    }),
  );
}

function flawOfForm(parts: Parts): string | undefined {
  const names = Object.keys(parts).sort().join();
  if (names !== 'csv,dryRun') return `the parts are ${names}`;
  if (!/^(true|false)$/.test(parts.dryRun ?? '')) return `dryRun is ${parts.dryRun}`;
  const unknown = linesOf(parts.csv ?? '')[0]
    ?.split(',')
    .find((column) => !columns.includes(column));
  return unknown === undefined ? undefined : `the column ${unknown} is not in the specification`;
}

function linesOf(csv: string): string[] {
  return csv.split(/\r?\n/).filter((line) => line !== '');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
