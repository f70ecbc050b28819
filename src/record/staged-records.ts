/** A text that is to be at a place, and the one that was there when it was decided; undefined: none. */
export interface StagedText {
  readonly place: string;
  readonly base: string | undefined;
  readonly text: string | undefined;
}

/**
 * What was saved and not yet shared, over what is shared. Others share too: when their state comes in, a text
 * that is staged stays so unless its place holds another text by now than the one that it was meant to replace. That
 * is a clash, the only thing that two runs can disagree on.
 */
export class StagedRecords {
  readonly #shared = new Map<string, string>();
  readonly #staged = new Map<string, StagedText>();

  /** The text at a place as this run sees it. */
  text(place: string): string | undefined {
    const staged = this.#staged.get(place);
    return staged === undefined ? this.#shared.get(place) : staged.text;
  }

  /** Every place below a folder that holds a text, sorted. */
  places(folder: string): string[] {
    const known = new Set([...this.#shared.keys(), ...this.#staged.keys()]);
    return [...known].filter((place) => place.startsWith(folder) && this.text(place) !== undefined).sort();
  }

  stage(place: string, text: string | undefined): StagedText {
    const earlier = this.#staged.get(place);
    const staged = { place, base: earlier === undefined ? this.#shared.get(place) : earlier.base, text };
    this.#staged.set(place, staged);
    return staged;
  }

  /** Takes over what an earlier run staged; what is shared by now is done. */
  restore(staged: StagedText): void {
    if (this.#shared.get(staged.place) !== staged.text) this.#staged.set(staged.place, staged);
    else this.#staged.delete(staged.place);
  }

  /** Everything below a folder is shared as given. */
  setShared(folder: string, texts: ReadonlyMap<string, string>): void {
    for (const place of [...this.#shared.keys()]) if (place.startsWith(folder)) this.#shared.delete(place);
    for (const [place, text] of texts) this.#shared.set(place, text);
    for (const { place, text } of this.staged()) {
      if (place.startsWith(folder) && texts.get(place) === text) this.#staged.delete(place);
    }
  }

  /** These texts were shared. What was staged at their places since then is meant to replace them. */
  settle(changes: readonly StagedText[]): void {
    for (const { place, text } of changes) {
      if (text === undefined) this.#shared.delete(place);
      else this.#shared.set(place, text);
      const staged = this.#staged.get(place);
      if (staged === undefined) continue;
      if (staged.text === text) this.#staged.delete(place);
      else this.#staged.set(place, { ...staged, base: text });
    }
  }

  /** By place. */
  staged(): StagedText[] {
    return [...this.#staged.values()].sort((one, other) => (one.place < other.place ? -1 : 1));
  }

  /** Gives up what is to be as it is. Not while a sharing is under way, which may be about to change it. */
  dropSame(): void {
    for (const { place, text } of this.staged()) if (this.#shared.get(place) === text) this.#staged.delete(place);
  }

  clashes(): StagedText[] {
    return this.staged().filter(({ place, base }) => this.#shared.get(place) !== base);
  }

  drop(place: string): void {
    this.#staged.delete(place);
  }
}
