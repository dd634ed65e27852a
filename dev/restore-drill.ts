import { restoreDrill } from './restore-drill/command.ts';

process.exitCode = await restoreDrill(process.argv.slice(2), process.env);
