/** What a promise was rejected with; a fulfilled one is an error of the test. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (reason: unknown) => ({ reason }),
  );
  if ('reason' in outcome) return outcome.reason;
  throw new Error(`expected a rejection, not ${JSON.stringify(outcome.value)}`);
}
