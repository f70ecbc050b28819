import { test } from '@jest/globals';
import { loadProject, resolveProject, validateProject } from '../../src/manifest/index.ts';
test('x', async () => {
  const project = await loadProject('/tmp/p1');
  const r = await resolveProject(project, { environment: 'production', secrets: 'values', env: { AGENT_TOKEN: 't', PIN: '99' }, select: a => a.endsWith('desk') });
  console.log(JSON.stringify(r.desired, null, 1), r.all, r.secrets.length, r.desired[0]?.sensitive, r.originOf('Agent/front-desk', '/skills/0/instructions'));
  for (const p of (await validateProject(project, { env: {} })).problems) console.log(`${p.at?.file}:${p.at?.line}:${p.at?.column} ${p.severity} ${p.rule} ${p.message}` + (p.also ? ` [${p.also.message} ${p.also.at.line}:${p.also.at.column}]` : ''));
});
