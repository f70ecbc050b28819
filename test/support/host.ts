import type { RunEvent } from '../../src/apply/events.ts';
import type { Host } from '../../src/session/host.ts';

/** A host for use cases that run inside a test. It collects their events in order. */
export interface TestHost extends Host {
  readonly events: RunEvent[];
}

export function testHost(env: Readonly<Record<string, string>> = {}): TestHost {
  const events: RunEvent[] = [];
  return {
    env,
    events,
    now: () => new Date(0),
    emit: (event) => void events.push(event),
    hideSecrets: () => undefined,
    startEmulator: () => Promise.reject(new Error('this test has no embedded emulator')),
  };
}
