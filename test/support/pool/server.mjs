// This program runs in addition to jest. It keeps processes that can run a built program repeatedly (host.mjs). Over a
// socket, it lends these processes to the tests of all workers. After a few runs, such a process carries out a run in a
// tenth of the time of a new process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const hostPath = resolve(import.meta.dirname, 'host.mjs');
const maxIdle = 12;
/**
 * The maximum size of a process, in megabytes. Starting git from a larger process takes longer than the work of git
 * itself.
 */
const maxMegabytes = 350;

/**
 * The idle processes, by program and by the variables that the program reads while loading. The most recently used
 * process is last.
 */
const idle = new Map();

const server = createServer(async (socket) => {
  // Ignores errors, because the worker may have been killed.
  socket.on('error', () => {});
  const [run] = await once(createInterface(socket), 'line');
  socket.end(JSON.stringify(await carryOut(JSON.parse(run))));
});
const [, , path] = process.argv;
process.on('disconnect', () => {
  rmSync(dirname(path), { recursive: true, force: true });
  process.exit();
});
server.listen(path, () => process.send('listening'));

async function carryOut(run) {
  const key = `${run.program} ${run.env.AGENTFORM_ENVIRONMENT ?? ''}`;
  const waiting = idle.get(key) ?? [];
  idle.set(key, waiting);
  const host = waiting.pop() ?? startHost();
  const { megabytes, ...result } = await resultOf(host, run);
  // If the run ended its process, the size is unknown.
  if (megabytes === undefined) return result;
  if (megabytes < maxMegabytes && waiting.length < maxIdle) waiting.push(host);
  else host.disconnect();
  return result;
}

function startHost() {
  const host = fork(hostPath, [], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  for (const stream of [host.stdout, host.stderr]) stream.setEncoding('utf8');
  return host;
}

/** Returns the output and exit code of a run. If the run ends its process, returns the output so far. */
async function resultOf(host, run) {
  const outputs = Promise.all([host.stdout, host.stderr].map(textOf));
  const end = new Promise((settle) => {
    const settled = (result) => {
      host.off('message', settled).off('close', onClose);
      settle(result);
    };
    const onClose = (code) => settled({ code });
    host.once('message', settled).once('close', onClose);
  });
  host.send(run);
  const [stdout, stderr] = await outputs;
  const told = await end;
  return { ...told, stdout, stderr };
}

/** Reads the output of a run until the mark at its end, or until the process ends. */
function textOf(stream) {
  let said = '';
  return new Promise((settle) => {
    const end = () => {
      stream.off('data', onData).off('close', end);
      settle(said);
    };
    const onData = (chunk) => {
      said += chunk;
      if (!said.endsWith('\0')) return;
      said = said.slice(0, -1);
      end();
    };
    stream.on('data', onData).once('close', end);
  });
}
