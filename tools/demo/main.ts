import process from 'node:process';
import { seeded } from '../../simulator/determinism.ts';
import { checkSettings, readSettings } from '../settings/settings.ts';
import { createPhones, days, hours, type Participant } from './participants.ts';
import { openPast, type Past } from './past.ts';
import { answers, startStudy } from './weeks.ts';

/*
 * The demo study with eight weeks behind it, made by the service itself over simulated time. Arguments: the SQLite
 * file, which must have no users, and the instant at which the weeks end (now). The environment names the SNS, where the
 * phones are registered.
 */
const [file, until] = process.argv.slice(2);
if (!file) throw new Error('npm run demo -- <SQLite file> [<ISO instant>]');
const config = checkSettings(readSettings(process.env));

const weeks = 8;
const end = until === undefined ? Date.now() : Date.parse(until);
const random = seeded(17);
const tokens = new Map<string, string>();
/** The last evening but one: the webhook's receiver is down, and catches up from where it stopped. */
const isDown = (now: number) => now > end - 44 * hours && now < end - 20 * hours;

let past: Past;
const phones = createPhones({ past: () => past, random, answers });
past = await openPast(file, config, {
  start: end - weeks * 7 * days,
  world: {
    registered: (token, endpoint) => void tokens.set(token, endpoint),
    push: phones.receive,
    hook: (now) => (isDown(now) ? { status: 503 } : { status: 204 }),
  },
});
const set = {
  past,
  end,
  kill: phones.kill,
  connect(token: string, owner: Participant) {
    const endpoint = tokens.get(token);
    if (endpoint === undefined) throw new Error('the SNS did not register the phone');
    phones.add(endpoint, owner);
  },
  receiver: new URL('/webhooks', config.relay?.endpoint ?? 'http://127.0.0.1').href,
};
await startStudy(set);
await past.passUntil(end);
past.close();
