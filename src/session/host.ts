import type { Emit } from '../apply/events.ts';
import { AgentformError } from '../errors.ts';
import type { FactCache } from '../manifest/project/load-project.ts';
import type { ReadableFiles } from '../manifest/project/project-files.ts';
import type { AllowedSecrets, Secret } from '../secrets/secret.ts';
import type { AllowedHosts } from '../service/call.ts';
import type { RequestLine } from '../service/client.ts';

export type { RequestLine };

/** An emulator that runs in this process. */
export interface RunningEmulator {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** A folder for data that runs share. */
export interface CacheFolder {
  /** Absolute path. */
  readonly folder: string;
  /** Digest of the program's build. Another build may compute other results from the same input. */
  readonly build: string;
}

/** A use case's access to the process. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The names in `env` that manifests may use as secrets. Omitted to allow all. */
  readonly allowedSecrets?: AllowedSecrets | undefined;
  /**
   * Secrets that are redacted even if no manifest refers to them. The service may still have values from earlier
   * applies.
   */
  readonly hiddenSecrets?: readonly Secret[] | undefined;
  /** The only files of the project that may be read. Omitted to allow every file in its folder. */
  readonly readable?: ReadableFiles | undefined;
  /** Kept facts about manifests from earlier runs. Omitted to disable. */
  readonly cache?: FactCache | undefined;
  /** The folder for verdicts of earlier runs. Omitted to disable. */
  readonly verdicts?: CacheFolder | undefined;
  /** The only hosts that a token may be sent to. Omitted to allow all. */
  readonly allowedHosts?: AllowedHosts | undefined;
  readonly now: () => Date;
  /** Starts the emulator for `baseUrl: emulator`. Its state is kept in `dataFile`. */
  readonly startEmulator: (options: { readonly dataFile: string }) => Promise<RunningEmulator>;
  readonly emit: Emit;
  /** Called as soon as the secrets of the run are known, with a function that redacts them in output. */
  readonly hideSecrets: (redact: (text: string) => string) => void;
  /** Called for every attempt of every request. The line contains no secrets. */
  readonly onRequest?: (line: RequestLine) => void;
}

/** Throws if NODE_DEBUG would print URLs and headers with tokens. Every entry point calls this first. */
export function refuseLeakyDebugging({ NODE_DEBUG = '' }: Host['env']): void {
  if (!/undici|fetch|http|net|\*/i.test(NODE_DEBUG)) return;
  throw new AgentformError('usage', 'NODE_DEBUG would print tokens with every request; run `unset NODE_DEBUG`');
}
