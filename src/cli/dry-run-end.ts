/** Ends a run that only shows its request, before anything is sent. */
export class DryRunEnd extends Error {}
