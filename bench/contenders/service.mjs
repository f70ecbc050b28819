// The emulator as a service to measure against: prints its base URL and answers until it is killed.
import { startEmulator } from '../../dist/index.js';

const { baseUrl } = await startEmulator();
process.stdout.write(`${baseUrl}\n`);
