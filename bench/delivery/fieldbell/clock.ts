/*
 * Loaded before Fieldbell: its clock starts at `CLOCK_AT`, and says by how much it is ahead of the machine's, by which
 * the SNS dates pushes.
 */
const MachineDate = Date;
await import('../../../test/crash/moved-clock.ts');
console.log(JSON.stringify({ event: 'clock', ahead: Date.now() - MachineDate.now() }));

export {};
