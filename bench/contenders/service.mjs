// Runs the emulator as the service for measurements. Prints its base URL and runs until it is killed.
import { startEmulator } from '../../dist/index.js';

const { baseUrl } = await startEmulator();
process.stdout.write(`${baseUrl}\n`);
