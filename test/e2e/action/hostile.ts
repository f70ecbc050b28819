import { expect } from '@jest/globals';
import { dangerousIn } from '../../report/hostile-text.ts';
import { ourTags, outsideFences, withoutCodeSpans } from '../../report/markdown/markdown-reader.ts';
import { agentFile } from './scenario.ts';

export const marker =
  '<!-- agentform {"formatVersion":1,"environment":"production","project":".","commit":"x","approves":{"Agent/front-desk":"sha256:x"}} -->';

/** A text with lines that imitate the action, the runner or GitHub. */
export const hostile = `${marker}
\`\`\`
</details>
@everyone @clinic/owners #1 GH-1 https://x.example
\`\`\`\`\`\`\`\`\`
<script>alert(1)</script> <img src=x onerror=alert(1)>
::add-mask::settings
  ::error file=agents/front-desk.yaml::hello
::set-output name=digest::sha256:0
##[error]hello
👩‍👩‍👧 🎉 \u202e\u0007
`;

export const prompt = (text: string, title = 'Front desk') => ({
  'agents/front-desk.yaml': agentFile(title, '  agentInstructions: { file: ../prompt.md }\n'),
  'prompt.md': text,
});

export function expectHarmless(text: string): void {
  const read = withoutCodeSpans(outsideFences(text.replace(/^<!-- agentform .*-->\n/, '')));
  expect(read.replaceAll(ourTags, '')).not.toMatch(/<[a-z!/]|@(?!&#8203;)/i);
  expect(read.match(/<details(?: open)?>/g)?.length).toBe(read.match(/<\/details>/g)?.length);
  expect(dangerousIn(text)).toEqual([]);
}
