import { dirname } from 'node:path';
import { reasonOf } from '../../errors.ts';
import { readPlainFile } from '../../files/plain-file.ts';
import { makeFolder, replaceFile } from '../../files/whole-file.ts';
import { readDocument } from '../../json/document.ts';
import { emulatorError } from '../errors.ts';
import { checkStateData, type StateData, stateFormat } from './state.ts';

/** Bytes of the largest data file that is read. */
const sizeLimit = 64 * 1024 * 1024;

/** The content of a data file; undefined if it does not exist yet. Throws one sentence when it cannot be used. */
export async function readDataFile(path: string): Promise<StateData | undefined> {
  const text = readIfPresent(path);
  return text === undefined ? undefined : parseData(path, text);
}

function readIfPresent(path: string): string | undefined {
  try {
    return readPlainFile(path, sizeLimit)?.text;
  } catch (error) {
    throw emulatorError(`the emulator's data file ${path} cannot be read: ${reasonOf(error)}`, error);
  }
}

function parseData(path: string, text: string): StateData {
  const result = readDocument(text, { newest: stateFormat, check: checkStateData });
  if (result.fits) return result.value;
  const remedy = result.newer === undefined ? '; restore it, delete it or name another file' : '';
  throw emulatorError(`the emulator's data file ${path} cannot be read: ${result.problem}${remedy}`);
}

/**
 * Keeps the state in a file. The file is complete at every moment: a new version is written beside it and renamed. A
 * killed process leaves the old version, or at worst an unused `.tmp` file.
 */
export class DataFile {
  readonly #path: string;
  readonly #snapshot: () => StateData;
  #running: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;

  constructor(path: string, snapshot: () => StateData) {
    this.#path = path;
    this.#snapshot = snapshot;
  }

  /**
   * Resolves once the present state is on disk. A write under way may have taken its snapshot too early, so one more
   * follows it, which all who ask meanwhile share.
   */
  save(): Promise<void> {
    this.#waiting ??= this.idle().then(() => {
      this.#waiting = undefined;
      this.#running = this.#write();
      return this.#running;
    });
    return this.#waiting;
  }

  /** Resolves when no write is under way, whether or not the last one succeeded. */
  idle(): Promise<void> {
    return (this.#waiting ?? this.#running).catch(() => undefined);
  }

  async #write(): Promise<void> {
    const text = `${JSON.stringify(this.#snapshot(), null, 1)}\n`;
    try {
      await makeFolder(dirname(this.#path));
      await replaceFile(this.#path, text, { flush: false });
    } catch (error) {
      throw emulatorError(`the emulator's data file ${this.#path} cannot be written: ${reasonOf(error)}`, error);
    }
  }
}
