// Says what a plain `wrangler dev` lacks in a fresh clone. Wrangler runs it before it bundles (`[build]` in wrangler.toml), on
// whatever Node runs wrangler, hence no TypeScript.
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Commands, and why each is needed. */
async function missingSteps() {
  const settings = ['.dev.vars', '.env'].map((name) => join(root, name)).find((file) => existsSync(file));
  const steps = [];
  if (!settings)
    steps.push(['cp .dev.vars.example .dev.vars', 'the settings: without them every request fails']);
  if (!isMigrated()) steps.push(['npm run migrate', 'the tables of the local database']);
  const sns = relayOf(settings ?? join(root, '.dev.vars.example'));
  if (sns && !(await listens(sns)))
    steps.push(['npm run sns', `in another terminal: the local SNS at ${sns.origin}`]);
  // Nothing tells whether it runs.
  if (steps.length > 0)
    steps.push(['npm run cron', 'in another terminal: the Cron Trigger, which wrangler does not fire']);
  return steps;
}

/** The address of a relay on this machine. */
function relayOf(file) {
  const [, text] = /^SNS_ENDPOINT=["']?([^"'\s]+)/m.exec(readFileSync(file, 'utf8')) ?? [];
  if (!text || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return ['127.0.0.1', 'localhost'].includes(url.hostname) ? url : undefined;
}

/** Whether a local database has the table of migrations, whose definition stands at the beginning. */
function isMigrated() {
  const folder = join(root, '.wrangler/state/v3/d1');
  if (!existsSync(folder)) return false;
  const files = readdirSync(folder, { recursive: true }).filter((file) => /\.sqlite(?:-wal)?$/.test(file));
  return files.some((file) => beginningOf(join(folder, file)).includes('d1_migrations'));
}

function beginningOf(file) {
  const buffer = Buffer.alloc(1_000_000);
  const opened = openSync(file, 'r');
  try {
    return buffer.subarray(0, readSync(opened, buffer));
  } finally {
    closeSync(opened);
  }
}

const listens = ({ hostname, port }) =>
  new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 80) });
    const end = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });

/** `npm start` brings everything itself, and a deployment needs nothing of it. */
const isPlainDev = process.env.WRANGLER_COMMAND === 'dev' && !process.env.FIELDBELL_START;
// A hint stops no build.
const steps = isPlainDev ? await missingSteps().catch(() => []) : [];
const title =
  '`npm start` brings everything in one terminal. For a plain `wrangler dev`, stop it and run first:';
const lines = steps.map(([command, reason]) => `  ${command.padEnd(32)} # ${reason}`);
if (steps.length > 0) console.log([title, ...lines].join('\n'));
