import { summary } from '@actions/core';

/** GitHub refuses a summary of more than 1 MiB. */
const mostBytes = 1_000_000;

/** Writes the summary of the job, as long as it may be. */
export async function writeSummary(render: (limit: number) => string): Promise<void> {
  if ((process.env.GITHUB_STEP_SUMMARY ?? '') === '') return;
  await summary.addRaw(fitted(render), true).write();
}

/** Texts are measured in characters and the file in bytes, of which a character has up to three. */
function fitted(render: (limit: number) => string): string {
  const whole = render(mostBytes);
  const bytes = Buffer.byteLength(whole);
  return bytes <= mostBytes ? whole : render(Math.floor(mostBytes / 3));
}
