/*
 * Loaded before the program: its clock starts at `CLOCK_AT` (epoch ms) and runs on from there. Timers are the
 * machine's, so that a second is a second.
 */
const at = Number(process.env.CLOCK_AT);
const MachineDate = Date;
const offset = at - MachineDate.now();

class MovedDate extends MachineDate {
  constructor(...args: [] | [number | string]) {
    super(...((args.length === 0 ? [MovedDate.now()] : args) as [number]));
  }

  static override now() {
    return MachineDate.now() + offset;
  }
}

globalThis.Date = MovedDate as DateConstructor;

export {};
