import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. The request of an upload contains the uploaded form. */
export interface TaskCall {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly json?: Readonly<Record<string, unknown>>;
  readonly upload?: { readonly csv: string; readonly fileName: string; readonly dryRun: string };
}

export interface TaskReply {
  readonly status: number;
  readonly body: string;
}

/**
 * `reset` closes the connection after the request arrived. The client cannot know whether the request was carried out.
 */
export type Interference = TaskReply | 'reset' | undefined;

/**
 * An independent implementation of the task and inbox operations, written from the specification. It does not parse
 * CSV.
 */
export interface TaskService {
  readonly baseUrl: string;
  readonly calls: TaskCall[];
  /** If it returns a result, the result replaces the successful response. */
  answer: ((call: TaskCall) => Interference | Promise<Interference>) | undefined;
  readonly close: () => Promise<void>;
}

export async function startTaskService(): Promise<TaskService> {
  const service: TaskService = {
    baseUrl: '',
    calls: [],
    answer: undefined,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  const http = createServer((request, response) => void serve(request, response));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readCall(request);
    service.calls.push(call);
    const reply = (await service.answer?.(call)) ?? success(call);
    if (reply === 'reset') return void request.socket.destroy();
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body);
  }

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return Object.assign(service, { baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}` });
}

export function reply(status: number, body: unknown): TaskReply {
  return { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

/** Returns the response to a task or an upload. The specification does not show this response. */
function success({ path }: TaskCall): TaskReply {
  if (path === '/api/v2/conversations') return reply(200, { pageSize: 0, pageNumber: 0, totalRooms: 0, rooms: [] });
  return reply(path === '/api/v2/tasks' ? 201 : 200, { success: true, message: 'Task created successfully' });
}

async function readCall(request: IncomingMessage): Promise<TaskCall> {
  const url = new URL(request.url ?? '', 'http://localhost');
  const call = {
    method: request.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
  };
  const body = await readBody(request);
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('application/json')) return { ...call, json: JSON.parse(body.toString('utf8')) };
  return type.startsWith('multipart/form-data') ? { ...call, upload: await readForm(body, type) } : call;
}

async function readForm(body: Buffer, type: string): Promise<NonNullable<TaskCall['upload']>> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const csv = form.get('csv');
  if (!(csv instanceof File)) throw new Error('the part csv is not a file');
  return { csv: await textOf(csv), fileName: csv.name, dryRun: String(form.get('dryRun')) };
}

/** Reads the text of a file. Unlike `text()`, this keeps a byte order mark. */
async function textOf(file: File): Promise<string> {
  return Buffer.from(await file.arrayBuffer()).toString('utf8');
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
