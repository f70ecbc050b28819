import type { Emit } from '../apply/events.ts';
import type { CacheFolder } from '../manifest/project/parsed-cache.ts';
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

/** What a use case gets from the process that it runs in. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What manifests may take from `env` as secrets; every name if left out. */
  readonly allowedSecrets?: AllowedSecrets | undefined;
  /** Secrets that are shown nowhere even if no manifest refers to them: the service may hold what was sent before. */
  readonly hiddenSecrets?: readonly Secret[] | undefined;
  /** The only files of the project that are read; every file inside its folder if left out. */
  readonly readable?: ReadableFiles | undefined;
  /** Where what came of manifests is kept for the next run; nowhere if left out. */
  readonly cache?: CacheFolder | undefined;
  /** The only hosts that a token may go to; every host if left out. */
  readonly allowedHosts?: AllowedHosts | undefined;
  readonly now: () => Date;
  /** Starts the embedded emulator of `baseUrl: emulator`; its state is kept in the file. */
  readonly startEmulator: (options: { readonly dataFile: string }) => Promise<RunningEmulator>;
  readonly emit: Emit;
  /** Given, as soon as the secrets of the run are known, what takes them out of text for people. */
  readonly hideSecrets: (redact: (text: string) => string) => void;
  /** Told of every try of every request; holds no secret. */
  readonly onRequest?: (line: RequestLine) => void;
}
