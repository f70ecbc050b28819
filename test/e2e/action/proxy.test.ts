import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { agentToken, onPullRequest, scenario, useScenario } from './scenario.ts';

useScenario();

test('The action comments through the proxy of the runner.', async () => {
  const asked: string[] = [];
  const proxy = createServer().on('connect', ({ url = '' }, socket) => {
    asked.push(url);
    const onward = connect(Number(new URL(scenario.github.url).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { port } = proxy.address() as AddressInfo;
  const { pathname } = new URL(scenario.github.url);
  const { code, log } = await onPullRequest(scenario, {
    env: {
      AGENT_TOKEN: agentToken,
      GITHUB_API_URL: `http://github.test${pathname}`.replace(/\/$/, ''),
      http_proxy: `http://127.0.0.1:${port}`,
      no_proxy: '127.0.0.1',
    },
  });
  proxy.close();
  expect({ code, log }).toMatchObject({ code: 0 });
  expect(asked).toContain('github.test:80');
  expect(scenario.github.comments).toHaveLength(1);
});
