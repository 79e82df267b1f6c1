/** Node 22 takes a reset directly after the last bytes for their end, and does not report zstd data that lack theirs. */
export const isNode22 = Number.parseInt(process.versions.node, 10) < 24;
