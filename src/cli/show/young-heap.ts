/** In bytes. Less costs time, because objects of the present page are copied more often; more is memory that is never needed. */
const MOST = 5 * 1024 * 1024;
let isLimited = false;

/**
 * Keeps V8 from making more and more room for objects that live as long as one page of a list. To be called once a page: V8
 * makes the room larger step by step, and is stopped when it is large enough.
 */
export function limitYoungHeap(): void {
  if (isLimited) return;
  const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8');
  const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
  if (!young || young.space_size < MOST) return;
  isLimited = true;
  setFlagsFromString('--semi-space-growth-factor=1');
}
