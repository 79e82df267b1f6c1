/** What is shown of a text: pieces that follow one another, in which some values are replaced. */
export class ShownText {
  readonly #text: string;
  readonly #replacement: string;
  /** What is shown of the present piece, up to the last value that was replaced in it. */
  #begun = '';
  /** Where the rest of the piece begins. */
  #done = 0;

  constructor(text: string, replacement: string) {
    this.#text = text;
    this.#replacement = replacement;
  }

  /** Ends the present piece before this index, and returns it. */
  cut(end: number): string {
    const rest = this.#text.slice(this.#done, end);
    const piece = this.#begun === '' ? rest : this.#begun + rest;
    this.continueAt(end);
    return piece;
  }

  /** Shows the replacement in place of a value, which begins after everything that was replaced or cut before. */
  replace(start: number, end: number): void {
    this.#begun += this.#text.slice(this.#done, start) + this.#replacement;
    this.#done = end;
  }

  /** Begins a piece at this index; what is before it was shown in another way. */
  continueAt(index: number): void {
    this.#begun = '';
    this.#done = index;
  }
}
