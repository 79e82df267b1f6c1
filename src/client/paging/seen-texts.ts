/** The texts that came before in a run, of which only hashes are kept. */
export class SeenTexts {
  readonly #sums = new Set<string>();

  /** Remembers a text; whether it came before. */
  add(text: string): boolean {
    const { hash } = process.getBuiltinModule('node:crypto');
    const before = this.#sums.size;
    return this.#sums.add(hash('sha1', text, 'base64')).size === before;
  }
}
