import { allOutcomes } from './outgoing-calls.ts';

/* Prints what becomes of each outgoing call on the runtime that runs it. */
console.log(JSON.stringify(await allOutcomes(Number(process.argv[2]))));
process.exit(0);
