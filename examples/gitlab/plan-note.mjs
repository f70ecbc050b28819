// Shows a plan in a note on its merge request: node plan-note.mjs plan.md. A later plan for the environment replaces the note.
import { readFile } from 'node:fs/promises';

const { AGENTFORM_ENVIRONMENT, CI_API_V4_URL, CI_MERGE_REQUEST_IID, CI_PROJECT_ID, NOTES_TOKEN } = process.env;
const notes = `/projects/${CI_PROJECT_ID}/merge_requests/${CI_MERGE_REQUEST_IID}/notes`;
const mark = `<!-- agentform: ${AGENTFORM_ENVIRONMENT} -->`;

const body = `${mark}\n${await readFile(process.argv[2], 'utf8')}`;
const earlier = await findNote();
if (earlier === undefined) await call('POST', notes, { body });
else await call('PUT', `${notes}/${earlier.id}`, { body });

/** Finds the earlier note. Only notes that were written with the token count, because anyone can write the mark. */
async function findNote() {
  const { id } = await (await call('GET', '/user')).json();
  for (let page = '1'; page; ) {
    const answer = await call('GET', `${notes}?sort=asc&per_page=100&page=${page}`);
    const found = (await answer.json()).find((note) => note.author.id === id && note.body.startsWith(mark));
    if (found !== undefined) return found;
    page = answer.headers.get('x-next-page');
  }
  return undefined;
}

async function call(method, path, content) {
  const answer = await fetch(`${CI_API_V4_URL}${path}`, {
    method,
    headers: { 'PRIVATE-TOKEN': NOTES_TOKEN ?? '', 'Content-Type': 'application/json' },
    ...(content && { body: JSON.stringify(content) }),
  });
  if (answer.ok) return answer;
  console.error(`GitLab returned ${answer.status} for ${method} ${path}`);
  return process.exit(1);
}
