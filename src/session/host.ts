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

/** A folder for data that one run keeps for the next. */
export interface CacheFolder {
  /** Absolute path. */
  readonly folder: string;
  /** Digest of the program's build, because another build may compute other results from the same input. */
  readonly build: string;
}

/** The process context of a use case. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The names in `env` that manifests may use as secrets; all if omitted. */
  readonly allowedSecrets?: AllowedSecrets | undefined;
  /**
   * Secrets that are always hidden, even if no manifest refers to them: the service may have values that were sent
   * before.
   */
  readonly hiddenSecrets?: readonly Secret[] | undefined;
  /** The only files of the project that may be read; every file in its folder if omitted. */
  readonly readable?: ReadableFiles | undefined;
  /** Results of earlier runs about manifests; none if omitted. */
  readonly cache?: FactCache | undefined;
  /** The folder for verdicts; none if omitted. */
  readonly verdicts?: CacheFolder | undefined;
  /** The only hosts that a token may be sent to; every host if omitted. */
  readonly allowedHosts?: AllowedHosts | undefined;
  readonly now: () => Date;
  /** Starts the embedded emulator of `baseUrl: emulator`; its state is kept in the file. */
  readonly startEmulator: (options: { readonly dataFile: string }) => Promise<RunningEmulator>;
  readonly emit: Emit;
  /** Called, as soon as the secrets of the run are known, with the redactor for output. */
  readonly hideSecrets: (redact: (text: string) => string) => void;
  /** Called with every attempt of every request; contains no secrets. */
  readonly onRequest?: (line: RequestLine) => void;
}

/**
 * Refuses Node's HTTP debug output, which prints whole URLs and headers with their tokens. Every entry calls this
 * first.
 */
export function refuseLeakyDebugging({ NODE_DEBUG = '' }: Host['env']): void {
  if (!/undici|fetch|http|net|\*/i.test(NODE_DEBUG)) return;
  throw new AgentformError('usage', 'NODE_DEBUG would print tokens with every request; run `unset NODE_DEBUG`');
}
