import type { RunEvent } from '../../src/apply/events.ts';
import { joinedRedactor, redactor } from '../../src/secrets/redact.ts';
import type { Host } from '../../src/session/host.ts';

/** A host for use cases that run inside a test. It collects their events in order. */
export interface TestHost extends Host {
  readonly events: RunEvent[];
}

export function testHost(env: Readonly<Record<string, string>> = {}): TestHost {
  const events: RunEvent[] = [];
  let redact = redactor([]);
  return {
    env,
    events,
    now: () => new Date(0),
    emit: (event) => void events.push(event),
    hideSecrets: (next) => {
      redact = joinedRedactor(redact, next);
    },
    redact: (text) => redact(text),
    startEmulator: () => Promise.reject(new Error('this test has no embedded emulator')),
  };
}
