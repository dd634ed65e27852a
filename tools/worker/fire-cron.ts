import { portDefaults } from '../settings/defaults.ts';
import { startCron } from './cron.ts';

/* `npm run cron`: fires the Cron Trigger of a plain `wrangler dev` each minute, until Ctrl-C. */
const [url = `http://127.0.0.1:${portDefaults.api}`] = process.argv.slice(2);
console.log(`Fires the Cron Trigger of ${url} each minute.`);
startCron(url.replace(/\/$/, ''), (problem) => console.error(problem));
