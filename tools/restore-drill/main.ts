import { restoreDrill } from './command.ts';

process.exitCode = await restoreDrill(process.argv.slice(2), process.env);
