import { readFileSync } from 'node:fs';

/*
 * Loaded before the service: its clock is ahead by as many ms as the file `CLOCK_STEP` says, from one look to the next.
 * Timers and the monotonic clock are the machine's.
 */
const file = process.env.CLOCK_STEP ?? '';
const MachineDate = Date;

class SteppedDate extends MachineDate {
  constructor(...args: [] | [number | string]) {
    super(...((args.length === 0 ? [SteppedDate.now()] : args) as [number]));
  }

  static override now() {
    return MachineDate.now() + Number(readFileSync(file, 'utf8'));
  }
}

globalThis.Date = SteppedDate as DateConstructor;
