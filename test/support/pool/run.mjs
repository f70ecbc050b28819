// Runs a built program in the pool, for shell scripts: `run.mjs SOCKET PROGRAM ARGUMENT...`
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

const [, , socket, program, ...args] = process.argv;
const pool = connect(socket);
pool.write(`${JSON.stringify({ program, args, cwd: process.cwd(), env: process.env })}\n`);
const { code, stdout, stderr } = JSON.parse(await text(pool));
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = code;
