export type { DeclaredAccount } from './accounts.ts';
export { readAccounts } from './accounts.ts';
export { type Emulator, type EmulatorOptions, startEmulator } from './emulator.ts';
export { type Fault, faultKinds, parseFault } from './faults.ts';
export type { SeededRoom } from './room-store.ts';
