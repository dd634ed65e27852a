import { runBackup } from './platform/server/backup.ts';

await runBackup();
