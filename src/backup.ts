import { runBackup } from './runtime/local-backup.ts';

await runBackup();
