// Loaded before payctl: a clock on which each request takes 40 seconds, so that a short export lasts for hours.
import { Socket } from 'node:net';

const STEP_MS = 40_000;
const RealDate = Date;
let requests = 0;
const { write } = Socket.prototype;
Socket.prototype.write = function (chunk, ...others) {
  if (typeof chunk === 'string' && /^[A-Z]+ \/\S* HTTP\/1\.1\r\n/.test(chunk)) requests += 1;
  return write.call(this, chunk, ...others);
};
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
