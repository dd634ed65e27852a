import { tokenCommand } from './command.ts';

const { status, stdout, stderr } = await tokenCommand(process.argv.slice(2), process.env);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = status;
