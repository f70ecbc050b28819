import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { serviceTaskBody } from '../../schemas/service-validators.js';
import { counted } from '../../text/wording.ts';
import { Refusal } from '../errors.ts';
import { checkedBody, isFormData, queryParameter } from '../request.ts';
import { inboxOf } from '../state/rooms.ts';
import type { EmulatedOperation, OperationResponse, ReceivedCall, Service } from './operation.ts';
import { parseTaskFile, type TaskRowProblem } from './task-file.ts';

const maxShownProblems = 5;

// The maximum sizes in bytes. Tasks may contain email attachments, and the real service's limits are unknown.
const taskLimit = 64 * 1024 * 1024;
const fileLimit = 256 * 1024 * 1024;

function createTask({ account, body }: ReceivedCall, { state }: Service): OperationResponse {
  const task = withoutContents(checkedBody(serviceTaskBody, body));
  const taskId = state.tasks.queue(account.id, { task, externalTaskId: undefined });
  return { status: 201, body: { success: true, message: 'the task was queued', taskId } };
}

function withoutContents(task: JsonObject): JsonObject {
  const meta = isJsonObject(task.meta) ? task.meta : {};
  if (!isJsonObject(meta.email) || !Array.isArray(meta.email.attachments)) return task;
  const attachments = meta.email.attachments.filter(isJsonObject).map(({ content, ...rest }) => ({
    ...rest,
    bytes: Buffer.byteLength(String(content), 'base64'),
  }));
  return { ...task, meta: { ...meta, email: { ...meta.email, attachments } } };
}

/** Reads the file twice, so that no task is queued if a row is invalid. The rows need not stay in memory. */
async function uploadTasks({ account, body }: ReceivedCall, { state }: Service): Promise<OperationResponse> {
  const { file, dryRun } = uploadParts(body);
  const rows = await checkedRows(file);
  const answer = { success: true, rows };
  if (dryRun)
    return {
      status: 200,
      body: { ...answer, message: `${rows} ${rows === 1 ? 'row is' : 'rows are'} valid; nothing was queued` },
    };
  await parseTaskFile(file, {
    onRow: ({ task, externalTaskId }) => {
      state.tasks.queue(account.id, { task: withoutContents(task), externalTaskId });
    },
  });
  state.tasks.noteUpload({ account: account.id, fileName: file.name, rows });
  return { status: 200, body: { ...answer, message: `${rows} ${rows === 1 ? 'task was' : 'tasks were'} queued` } };
}

function uploadParts(body: unknown): { readonly file: File; readonly dryRun: boolean } {
  if (!isFormData(body)) throw new Refusal(400, 'the body must be multipart form data');
  const [files, flags] = [body.getAll('csv'), body.getAll('dryRun')];
  const [file] = files;
  const [flag = 'false'] = flags;
  if (file === undefined || typeof file === 'string') throw new Refusal(400, 'the part csv must be a file');
  if (flag !== 'true' && flag !== 'false') throw new Refusal(400, 'the part dryRun must be true or false');
  if (files.length > 1 || flags.length > 1) throw new Refusal(400, 'a part appears more than once');
  return { file, dryRun: flag === 'true' };
}

/** Returns the number of rows. Throws a Refusal with the first problems if a row is invalid. */
async function checkedRows(file: Blob): Promise<number> {
  const problems: TaskRowProblem[] = [];
  let count = 0;
  const onProblem = (problem: TaskRowProblem) => {
    count += 1;
    if (problems.length < maxShownProblems) problems.push(problem);
  };
  const rows = await parseTaskFile(file, { onProblem });
  if (count === 0) return rows;
  const sentences = problems.map(({ line, what }) => `line ${line}: ${what}`).join('; ');
  const more = count > problems.length ? `; and ${counted(count - problems.length, 'more line')}` : '';
  throw new Refusal(400, `the file is invalid: ${sentences}${more}`);
}

export const taskOperations: readonly EmulatedOperation[] = [
  { id: 'createTask', method: 'POST', path: '/tasks', writes: true, bodyLimit: taskLimit, handle: createTask },
  {
    id: 'uploadTasks',
    method: 'POST',
    path: '/tasks/csv',
    writes: true,
    isFormData: true,
    bodyLimit: fileLimit,
    handle: uploadTasks,
  },
];

const defaultPageSize = 20;

/** Returns a page of the inbox, or the whole inbox. `totalRooms` counts the rooms of all pages. */
function listConversations({ account, query }: ReceivedCall, { state }: Service): OperationResponse {
  const { isPaged, pageNumber, pageSize, unreadOnly } = readQuery(query);
  const rooms = inboxOf(state.rooms, account.id, { unreadOnly });
  const totalRooms = rooms.length;
  if (!isPaged) return { status: 200, body: { pageSize: totalRooms, pageNumber: 0, totalRooms, rooms } };
  const page = rooms.slice(pageNumber * pageSize, (pageNumber + 1) * pageSize);
  return { status: 200, body: { pageSize, pageNumber, totalRooms, rooms: page } };
}

function readQuery(query: unknown) {
  const isPaged = booleanOf(query, 'pagination');
  if (isPaged === undefined) throw new Refusal(400, 'the query parameter pagination is missing');
  const pageNumber = integerOf(query, 'page', 0) ?? 0;
  const pageSize = integerOf(query, 'pageSize', 1) ?? defaultPageSize;
  return { isPaged, pageNumber, pageSize, unreadOnly: booleanOf(query, 'unread') ?? false };
}

function booleanOf(query: unknown, name: string): boolean | undefined {
  const text = queryParameter(query, name);
  if (text === undefined || text === 'true' || text === 'false')
    return text === undefined ? undefined : text === 'true';
  throw new Refusal(400, `the query parameter ${name} must be true or false`);
}

function integerOf(query: unknown, name: string, min: number): number | undefined {
  const text = queryParameter(query, name);
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text) && Number(text) >= min) return Number(text);
  throw new Refusal(400, `the query parameter ${name} must be an integer of at least ${min}`);
}

export const conversationOperations: readonly EmulatedOperation[] = [
  { id: 'listConversations', method: 'GET', path: '/conversations', writes: false, handle: listConversations },
];
