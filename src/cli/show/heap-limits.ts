/** In bytes. Less costs time, because objects of the present page are copied more often; more is memory that is never needed. */
const MOST_YOUNG = 5 * 1024 * 1024;

/**
 * How much the old objects may grow before V8 looks for garbage among them, in percent of what is in use. By default it waits until
 * they are four times as large; meanwhile undici's buffers, of 64 KiB for each page, stay.
 */
const GROWTH_PERCENT = 80;

let isYoungLimited = false;
let isOldLimited = false;

/**
 * Keeps V8, in all threads, from making more and more room for objects that live as long as one page of a list. To be called once a
 * page: V8 makes the room larger step by step, and is stopped when it is large enough.
 */
export function limitHeap(): void {
  if (isYoungLimited) return;
  const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8');
  if (!isOldLimited) setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  isOldLimited = true;
  const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
  if (!young || young.space_size < MOST_YOUNG) return;
  isYoungLimited = true;
  setFlagsFromString('--semi-space-growth-factor=1');
}
