/** The shown version of a text: consecutive pieces in which some values are replaced. */
export class ShownText {
  readonly #text: string;
  readonly #replacement: string;
  /** The shown version of the current piece, up to the last replaced value. */
  #begun = '';
  /** Where the rest of the current piece begins. */
  #done = 0;
  /** Whether anything was replaced in any piece. */
  isChanged = false;

  constructor(text: string, replacement: string) {
    this.#text = text;
    this.#replacement = replacement;
  }

  /** Ends the current piece before this index, and returns it. */
  cut(end: number): string {
    const rest = this.#text.slice(this.#done, end);
    const piece = this.#begun === '' ? rest : this.#begun + rest;
    this.#begun = '';
    this.#done = end;
    return piece;
  }

  /** Replaces a value. Values must come in order, after everything that was replaced or cut before. */
  replace(start: number, end: number): void {
    this.#begun += this.#text.slice(this.#done, start) + this.#replacement;
    this.#done = end;
    this.isChanged = true;
  }
}
