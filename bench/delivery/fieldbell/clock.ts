/*
 * Preloaded into Fieldbell: its clock starts at `CLOCK_AT`. Says how far it is ahead of the machine's clock, by which the
 * SNS dates pushes.
 */
const MachineDate = Date;
await import('../../../tools/fakes/moved-clock.ts');
console.log(JSON.stringify({ event: 'clock', ahead: Date.now() - MachineDate.now() }));

export {};
