import { mask } from './secret.ts';

/**
 * The symbol `inspect.custom` of node:util. It is looked up by name, because the library's types must not depend on the
 * types of Node.
 */
const inspected: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/** A part of a text: visible text, or a reference to a secret, as written in the source. */
export type MaskedPart = string | { readonly reference: string };

/** Whether a condition holds. The value is undefined if only the secret's value can decide. */
export type Tristate = boolean | undefined;

/** Thrown if an operation needs the value of a secret. */
export class SecretNeeded extends Error {}

/**
 * A text with hidden secrets. The result of each method is valid for all values of the secrets. If a result may depend
 * on the value of a secret, it is undefined.
 */
export class MaskedText {
  /** The parts before, between and after the secrets. */
  readonly #stretches: readonly string[];
  readonly #references: readonly string[];

  constructor(parts: readonly MaskedPart[]) {
    const stretches = [''];
    for (const part of parts) {
      if (typeof part === 'string') stretches.push(`${stretches.pop() ?? ''}${part}`);
      else stretches.push('');
    }
    this.#stretches = stretches;
    this.#references = parts.flatMap((part) => (typeof part === 'string' ? [] : part.reference));
  }

  /**
   * Applies `edit`, which must only remove ranges, to the text with a separator in place of each secret. If the text
   * already contains the separator, hides the whole text.
   */
  edited(edit: (text: string) => string): MaskedText {
    const secret = { reference: this.#references[0] ?? mask };
    if (this.#stretches.some((stretch) => stretch.includes(separator))) return new MaskedText([secret]);
    const [first = '', ...others] = edit(this.#stretches.join(separator)).split(separator);
    return new MaskedText([first, ...others.flatMap((stretch) => [secret, stretch])]);
  }

  contains(text: string): Tristate {
    return this.#stretches.some((stretch) => stretch.includes(text)) || undefined;
  }

  startsWith(text: string): Tristate {
    const first = this.#stretches[0] ?? '';
    if (first.length >= text.length) return first.startsWith(text);
    return text.startsWith(first) ? undefined : false;
  }

  endsWith(text: string): Tristate {
    const last = this.#stretches.at(-1) ?? '';
    if (last.length >= text.length) return last.endsWith(text);
    return text.endsWith(last) ? undefined : false;
  }

  /**
   * Returns whether a regex matches. A match in one visible part counts for the whole text. Returns undefined if
   * nothing matches, or if the regex contains lookarounds or word boundaries.
   */
  matches(regex: string): Tristate {
    const bare = regex.replace(/\\[^bB]|\[(?:\\.|[^\]\\])*\]?/gs, '');
    if (/\\[bB]|\(\?[=!<]/.test(bare)) return undefined;
    const stretches = this.#stretchesFor(bare);
    const pattern = new RegExp(regex);
    return stretches.some((stretch) => pattern.test(stretch)) || undefined;
  }

  /** Returns the visible parts in which the regex's anchors have the same meaning as in the whole text. */
  #stretchesFor(bare: string): readonly string[] {
    if (!/[$^]/.test(bare)) return this.#stretches;
    if (/^\^[^$^|]*$/.test(bare)) return this.#stretches.slice(0, 1);
    return /^[^$^|]*\$$/.test(bare) ? this.#stretches.slice(-1) : [];
  }

  /**
   * Compares with any value. Numbers and booleans are compared as texts, because a value that is only a secret may
   * become a number or boolean.
   */
  equals(other: unknown): Tristate {
    if (other instanceof MaskedText) return this.#isSame(other) || undefined;
    if (other === undefined) return undefined;
    if (other === null || typeof other === 'object') return false;
    return this.#fits(String(other)) ? undefined : false;
  }

  /** Makes an error that names the secrets. Its message completes a sentence. */
  needed(): SecretNeeded {
    return new SecretNeeded(`needs the value of ${[...new Set(this.#references)].join(', ')}`);
  }

  #isSame({ shown }: MaskedText): boolean {
    return this.shown === shown;
  }

  #fits(text: string): boolean {
    const [first = '', ...inner] = this.#stretches;
    const last = inner.pop() ?? '';
    if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
    let [at, end] = [first.length, text.length - last.length];
    for (const stretch of inner) {
      const found = text.indexOf(stretch, at);
      if (found < 0 || found + stretch.length > end) return false;
      at = found + stretch.length;
    }
    return at <= end;
  }

  /** The text with references in place of secrets. */
  get shown(): string {
    return this.#stretches.reduce((text, stretch, index) => `${text}${this.#references[index - 1] ?? mask}${stretch}`);
  }

  toJSON(): string {
    return this.shown;
  }

  /** Throws, because using the object as a text would need the secret. */
  [Symbol.toPrimitive](): never {
    throw this.needed();
  }

  [inspected](): string {
    return this.shown;
  }
}

/** A Unicode noncharacter, which ordinary text does not contain. */
const separator = '\uffff';
