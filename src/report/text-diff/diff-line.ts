/**
 * One line of a difference, without control characters. `@` gives the place of the next lines in the text; `<` was here
 * and moved elsewhere, `>` is its new place.
 */
export interface DiffLine {
  readonly sign: '+' | '-' | ' ' | '<' | '>' | '@';
  readonly text: string;
  /**
   * For `@`: the number of the next line in the new text, from 1; left out where the texts are those of several
   * resources.
   */
  readonly line?: number;
  /** For `<` and `>`. */
  readonly block?: MovedBlock;
}

/** Lines that are together in both texts, but in another place. */
export interface MovedBlock {
  /** Among those of a difference, from 0. */
  readonly number: number;
  /** The number of its lines that are not blank. */
  readonly count: number;
  /** Its first line in the old text and in the new one, from 1; left out where the texts are those of several resources. */
  readonly from?: number;
  readonly to?: number;
}

/** A range of a line, and whether it changed. */
export interface Piece {
  readonly text: string;
  readonly isChanged: boolean;
}

export interface MarkedLine extends DiffLine {
  /** Only for a line that has a counterpart on the other side. */
  readonly pieces?: readonly Piece[];
}
