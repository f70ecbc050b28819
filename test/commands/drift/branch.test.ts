import { expect, test } from '@jest/globals';
import { driftOnBranch } from '../../../src/commands/drift/branch.ts';
import { workplace } from '../../support/in-process.ts';

test('A branch with dashboard edits needs a git repository.', async () => {
  const place = await workplace({
    'agentform.yaml':
      'apiVersion: agentform/v1\nkind: Project\nmanifests: [desk.yaml]\nenvironments: { local: { baseUrl: emulator } }\n',
    'desk.yaml': 'apiVersion: agentform/v1\nkind: Agent\nname: desk\nsettings: { title: T, description: D }\n',
  });
  try {
    const options = { project: place.root, names: [], concurrency: 1, branch: 'edits' };
    await expect(driftOnBranch(place.host, options)).rejects.toMatchObject({
      code: 'git-failed',
      message: `--branch needs a git repository, but git cannot read ${place.root}: not a git repository`,
    });
  } finally {
    await place.remove();
  }
});
