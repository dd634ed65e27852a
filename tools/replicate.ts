import { parseArgs } from 'node:util';
import { createClient, ProblemError } from '../client/client.ts';
import { openCopy, replicate } from '../examples/replicate.ts';
import { demoStudy } from './demo/study.ts';
import { portDefaults } from './settings/defaults.ts';
import { tokenCommand } from './tokens/command.ts';

const usage = `Usage: REPLICATE_TOKEN=<token> npm run -s replicate -- <study> [--url http://127.0.0.1:8787] [--file <study>.db] [--follow]

Keeps a copy of a study in a SQLite file, as an owner or editor. Running it again goes on where it ended.
--follow asks again every five seconds. A service on this machine needs no token.`;

const { values, positionals } = readArguments() ?? {};
const [study, ...more] = positionals ?? [];
if (!values || study === undefined || more.length > 0) {
  console.error(usage);
  process.exit(2);
}
const {
  url = `http://127.0.0.1:${process.env.PORT || portDefaults.api}`,
  file = `${study}.db`,
  follow,
} = values;

const client = createClient({ baseUrl: url, token });
const copy = openCopy(file);
try {
  for (let isFirst = true; isFirst || follow; isFirst = false) {
    const changes = await replicate(client, study, copy);
    if (isFirst || changes > 0) console.log(`${changes} changes in ${file}`);
    if (follow) await new Promise((resolve) => setTimeout(resolve, 5_000));
  }
} catch (error) {
  if (!(error instanceof ProblemError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  copy.close();
}

function readArguments() {
  try {
    const options = {
      url: { type: 'string' },
      file: { type: 'string' },
      follow: { type: 'boolean' },
    } as const;
    return parseArgs({ options, allowPositionals: true });
  } catch {
    return undefined;
  }
}

/** Of the environment, or the demo study's owner. */
async function token(): Promise<string> {
  if (process.env.REPLICATE_TOKEN) return process.env.REPLICATE_TOKEN;
  const { stdout } = await tokenCommand([demoStudy.people.owner.subject], process.env);
  return stdout.trim();
}
