/** Does work for each item, at most `most` at a time, and gives the results in the order of the items. */
export async function* inOrder<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  most: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const running: Promise<R>[] = [];
  for await (const item of items) {
    const result = work(item);
    // It is thrown where the result is taken; an error must not end the process while the next item is awaited.
    result.catch(() => {});
    running.push(result);
    const first = running.length >= most ? running.shift() : undefined;
    if (first) yield await first;
  }
  for (let next = running.shift(); next; next = running.shift()) yield await next;
}
