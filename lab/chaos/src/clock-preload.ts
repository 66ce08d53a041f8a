import { readFileSync } from 'node:fs';

/**
 * Loaded before a service by `--import`: shifts the service's clock. CHAOS_CLOCK_FILE holds the shift in milliseconds,
 * and SIGUSR2 makes the process read it again. Timers and `performance.now()` are unaffected, as on a machine whose
 * clock is set.
 */
const file = process.env['CHAOS_CLOCK_FILE'];
const RealDate = Date;
const realNow = RealDate.now.bind(RealDate);
let shiftMs = 0;

function readShift(): void {
  try {
    shiftMs = file === undefined ? 0 : Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    shiftMs = 0;
  }
}

const now = (): number => realNow() + shiftMs;
const ShiftedDate = new Proxy(RealDate, {
  construct: (target, given, newTarget): object =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget === ShiftedDate ? target : newTarget),
  apply: () => new RealDate(now()).toString(),
});
RealDate.now = now;
Object.defineProperty(RealDate.prototype, 'constructor', { value: ShiftedDate, writable: true, configurable: true });
globalThis.Date = ShiftedDate;
readShift();
process.on('SIGUSR2', readShift);
