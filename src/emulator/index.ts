export { type Emulator, type EmulatorOptions, startEmulator } from './emulator.ts';
export { type Fault, faultKinds, parseFault } from './faults.ts';
export type { DeclaredAccount } from './state/accounts.ts';
export { readAccounts } from './state/accounts.ts';
export type { SeededRoom } from './state/room-store.ts';
