/** Does work for each item, at most `most` at a time, and gives the results in the order of the items. */
export async function* inOrder<T, R>(
  items: AsyncIterable<T>,
  most: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const running: Promise<R>[] = [];
  try {
    for await (const item of items) {
      running.push(work(item));
      const first = running.length >= most ? running.shift() : undefined;
      if (first) yield await first;
    }
    for (let next = running.shift(); next; next = running.shift()) yield await next;
  } finally {
    // Errors of abandoned work must not end the process.
    for (const rest of running) rest.catch(() => {});
  }
}
