import { verify } from './verify.ts';

const { status, out, error } = await verify(process.argv.slice(2));
if (out) console.log(out);
if (error) console.error(error);
process.exitCode = status;
