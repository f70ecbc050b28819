import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { withSession } from '../../src/session/session.ts';
import { type Workplace, workplace } from '../support/in-process.ts';

const head = 'apiVersion: agentform/v1\n';

let place: Workplace;

beforeEach(async () => {
  place = await workplace(
    {
      'agentform.yaml': `${head}kind: Project\nmanifests: ["agents/*.yaml"]\nenvironments:\n  test: { baseUrl: "http://127.0.0.1:9", token: "\${secret.TOKEN}" }\n`,
      'agents/desk.yaml': `${head}kind: Agent\nname: desk\nextends: ../base.yaml\nsettings: { title: Desk }\n`,
      'base.yaml': `${head}kind: Agent\nsettings: { description: d }\n`,
    },
    { TOKEN: 'tok-desk-1' },
  );
});
afterEach(() => place.remove());

test('A session keeps the 2,000 parsed files that were used last.', async () => {
  const options = { project: place.root, names: [], concurrency: 1 };
  await withSession(place.host, options, async ({ project: { parsed } }) => {
    const [desk, base] = [parsed.parse('agents/desk.yaml'), parsed.parse('base.yaml')];
    for (let index = 0; index < 1999; index += 1) {
      parsed.parse(`agents/missing-${index}.yaml`);
      parsed.parse('base.yaml');
    }
    expect(parsed.parse('base.yaml')).toBe(base);
    expect(parsed.parse('agents/desk.yaml')).not.toBe(desk);
    expect(parsed.parse('agents/desk.yaml')).toEqual(desk);
  });
});
