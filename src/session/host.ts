import type { Emit } from '../apply/events.ts';
import { AgentformError } from '../errors.ts';
import type { FactCache } from '../manifest/project/load-project.ts';
import type { ReadableFiles } from '../manifest/project/project-files.ts';
import type { AllowedSecrets, Secret } from '../secrets/secret.ts';
import type { RequestLine } from '../service/client.ts';
import type { AllowedHosts } from '../service/destination.ts';

export type { RequestLine };

/** An emulator that runs in this process. */
export interface RunningEmulator {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** A folder for what one run keeps for the next. */
export interface CacheFolder {
  /** Absolute path. */
  readonly folder: string;
  /** Digest of the program's build: another program may make something else of the same input. */
  readonly build: string;
}

/** The process context of a use case. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The names in `env` that manifests may use as secrets; all if omitted. */
  readonly allowedSecrets?: AllowedSecrets | undefined;
  /** Secrets that are shown nowhere even if no manifest refers to them: the service may hold what was sent before. */
  readonly hiddenSecrets?: readonly Secret[] | undefined;
  /** The only files of the project that are read; every file inside its folder if left out. */
  readonly readable?: ReadableFiles | undefined;
  /** What earlier runs know of manifests; nothing if omitted. */
  readonly cache?: FactCache | undefined;
  /** The folder for verdicts; none if omitted. */
  readonly verdicts?: CacheFolder | undefined;
  /** The only hosts that a token may go to; every host if left out. */
  readonly allowedHosts?: AllowedHosts | undefined;
  readonly now: () => Date;
  /** Starts the embedded emulator of `baseUrl: emulator`; its state is kept in the file. */
  readonly startEmulator: (options: { readonly dataFile: string }) => Promise<RunningEmulator>;
  readonly emit: Emit;
  /** Called, as soon as the secrets of the run are known, with the redactor for output. */
  readonly hideSecrets: (redact: (text: string) => string) => void;
  /** Called with every try of every request; contains no secret. */
  readonly onRequest?: (line: RequestLine) => void;
}

/** Node's debug output of HTTP prints whole URLs and headers with their tokens. Every entry asks this first. */
export function refuseLeakyDebugging({ NODE_DEBUG = '' }: Host['env']): void {
  if (!/undici|fetch|http|net|\*/i.test(NODE_DEBUG)) return;
  throw new AgentformError('usage', 'NODE_DEBUG would print tokens with every request; run `unset NODE_DEBUG`');
}
