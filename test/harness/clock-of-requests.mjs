// Loaded before payctl: a clock on which each request takes 40 seconds, so that a short export lasts for hours.
import { subscribe } from 'node:diagnostics_channel';

const STEP_MS = 40_000;
const RealDate = Date;
let requests = 0;
subscribe('undici:request:create', () => {
  requests += 1;
});
const now = () => RealDate.now() + requests * STEP_MS;

globalThis.Date = class extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(now());
    else super(...values);
  }

  static now() {
    return now();
  }
};
