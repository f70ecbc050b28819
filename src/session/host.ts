import type { Emit } from '../apply/events.ts';
import type { FactCache } from '../manifest/project/load-project.ts';
import type { ReadableFiles } from '../manifest/project/project-files.ts';
import type { Redact } from '../secrets/redact.ts';
import type { AllowedSecrets, Secret } from '../secrets/secret.ts';
import type { RequestLine } from '../service/client.ts';
import type { AllowedHosts } from '../service/destination.ts';
import type { OpenCommit } from './base/committed-project.ts';

export type { RequestLine };

export interface RunningEmulator {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** A folder for data that runs share. */
export interface CacheFolder {
  readonly folder: string;
  /** A digest of the build. Another build may compute other results from the same input. */
  readonly build: string;
}

/** The parts of the process that a use case may access. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The names in `env` that manifests may use as secrets. If omitted, manifests may use all names. */
  readonly allowedSecrets?: AllowedSecrets | undefined;
  /**
   * Secrets that are redacted even if no manifest refers to them, because the service may still have values from
   * earlier applies.
   */
  readonly hiddenSecrets?: readonly Secret[] | undefined;
  /** The only project files that may be read. If omitted, every file in the project folder may be read. */
  readonly readable?: ReadableFiles | undefined;
  /** Facts about manifests from earlier runs. If omitted, no facts are kept between runs. */
  readonly cache?: FactCache | undefined;
  /** The folder for verdicts from earlier runs. If omitted, no verdicts are kept between runs. */
  readonly verdicts?: CacheFolder | undefined;
  /** The only hosts to which a token may be sent. If omitted, all hosts are allowed. */
  readonly allowedHosts?: AllowedHosts | undefined;
  /** The base commit, if it is already open. If omitted, a use case opens the commits that it needs. */
  readonly openedBase?: OpenCommit | undefined;
  readonly now: () => Date;
  /** Starts the embedded emulator, with its state in a data file. */
  readonly startEmulator: (options: { readonly dataFile: string }) => Promise<RunningEmulator>;
  readonly emit: Emit;
  /** Called with a function that redacts secrets in output, once the secrets are known. */
  readonly hideSecrets: (redact: Redact) => void;
  /** Redacts all secrets that are hidden at the time of the call. */
  readonly redact: Redact;
  /** Called for each attempt of each request. The line contains no secrets. */
  readonly onRequest?: (line: RequestLine) => void;
}
