// Uploads a CSV file of a million tasks to a local server, and measures the time and the peak memory of the built CLI.
// The aim is less than 250 MB. `node bench/task-upload.mjs [ROWS]` runs it and keeps the result in bench/results/.
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

const rows = Number(process.argv[2] ?? 1_000_000);
const targetMegabytes = 250;
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'agentform-bench-'));

/** Starts a server that accepts every upload, and only counts its lines. */
function countingServer() {
  const counts = { requests: 0, lines: 0 };
  const server = createServer((request, response) => {
    request.on('data', (chunk) => {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) counts.lines += 1;
    });
    request.on('end', () => {
      counts.requests += 1;
      response.setHeader('content-type', 'application/json').end('{"success":true,"message":"queued"}');
    });
  });
  return { server, counts };
}

async function writeCsv(path) {
  const stream = createWriteStream(path);
  stream.write('type,target,context,taskContext,greeting,waitToGreet,accountId,scheduledFor,message,externalTaskId\n');
  for (let row = 0; row < rows; row += 1) {
    const line = `call,+1415555${String(row % 10_000).padStart(4, '0')},"Caller ${row}, regular",Remind of the visit,Hello there,true,17,${4_000_000_000 + row},,ext-${row}\n`;
    if (!stream.write(line)) await new Promise((resolve) => stream.once('drain', resolve));
  }
  stream.end();
  await finished(stream);
}

/** Runs the CLI as a user does. When it exits, it reports its peak memory on file descriptor 3. */
function runCli(args) {
  const probe = "process.on('exit', () => require('node:fs').writeSync(3, String(process.resourceUsage().maxRSS)))";
  const preload = join(folder, 'probe.cjs');
  return writeFile(preload, probe).then(
    () =>
      new Promise((resolve, reject) => {
        const started = performance.now();
        const env = { ...process.env, NODE_OPTIONS: `--require ${preload}`, AGENT_TOKEN: 'tok-bench' };
        const child = spawn(process.execPath, [`${root}dist/cli.js`, ...args], {
          cwd: folder,
          env,
          stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
        });
        let peak = '';
        child.stdio[3].setEncoding('utf8').on('data', (text) => {
          peak += text;
        });
        child.on('error', reject);
        child.on('close', (code) =>
          resolve({ code, seconds: (performance.now() - started) / 1000, megabytes: Number(peak) / 1024 }),
        );
      }),
  );
}

const { server, counts } = countingServer();
try {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${server.address().port}`;
  const project = `apiVersion: agentform/v1\nkind: Project\nmanifests: [agents/*.yaml]\nenvironments:\n  bench: { baseUrl: "${baseUrl}", token: "\${secret.AGENT_TOKEN}" }\n`;
  await writeFile(join(folder, 'agentform.yaml'), project);
  await writeCsv(join(folder, 'tasks.csv'));
  const { size } = await stat(join(folder, 'tasks.csv'));
  const { code, seconds, megabytes } = await runCli(['task', 'upload', 'tasks.csv', '--yes']);
  const result = {
    rows,
    fileMegabytes: Math.round(size / 1e6),
    requests: counts.requests,
    seconds: Number(seconds.toFixed(1)),
    peakMegabytes: Math.round(megabytes),
    targetMegabytes,
    node: process.version,
  };
  console.log(JSON.stringify(result, null, 2));
  if (code !== 0 || counts.lines < rows || megabytes > targetMegabytes) process.exitCode = 1;
  await mkdir(`${root}bench/results`, { recursive: true });
  await writeFile(`${root}bench/results/task-upload.json`, `${JSON.stringify(result, null, 2)}\n`);
} finally {
  server.close();
  await rm(folder, { recursive: true, force: true });
}
