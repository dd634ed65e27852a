import { parseArgs } from 'node:util';
import { createClient, ProblemError } from '../../client/client.ts';
import { openCopy, replicate } from '../../examples/replicate.ts';
import { demoStudy } from '../demo/study.ts';
import { portDefaults } from '../settings/defaults.ts';
import { tokenCommand } from '../tokens/command.ts';
import { keepLists } from './lists.ts';
import { writeTables } from './tables.ts';

const usage = `Usage: REPLICATE_TOKEN=<token> npm run -s replicate -- <study> [--url http://127.0.0.1:8787] [--file <study>.db] [--parquet <folder>] [--follow]

Keeps a copy of a study in a SQLite file. Running it again goes on where it ended. It reads by GET alone: the token of a
program is enough (POST /investigation/:id/token), else that of an owner, an editor or a monitor. A service on this machine
needs no token. A program with a scope copies its part of the study, and begins again when that part changes. In a study with a
blinded property only an owner keeps a copy.
--parquet writes the copy as Parquet files, too: responses, occurrences, codebook, cases and members.
--follow asks again every five seconds; for prompts that are over and the codebook, and for Parquet, every hour.`;

const { values, positionals } = readArguments() ?? {};
const [study, ...more] = positionals ?? [];
if (!values || study === undefined || more.length > 0) {
  console.error(usage);
  process.exit(2);
}
const {
  url = `http://127.0.0.1:${process.env.PORT || portDefaults.api}`,
  file = `${study}.db`,
  parquet,
  follow,
} = values;

const client = createClient({ baseUrl: url, token });
const copy = openCopy(file);
/** Lists without a feed are read anew. */
const listsEveryMs = 3_600_000;
let listedAt = -Infinity;
try {
  for (let isFirst = true; isFirst || follow; isFirst = false) {
    const changes = await replicate(client, study, copy);
    if (isFirst || changes > 0) console.log(`${changes} changes in ${file}`);
    if (performance.now() - listedAt >= listsEveryMs) {
      listedAt = performance.now();
      const { occurrences, codebook } = await keepLists(client, study, copy);
      console.log(`${occurrences} prompts that are over, ${codebook} rows of the codebook`);
      if (parquet !== undefined) writeTables(copy, study, parquet);
    }
    if (follow) await new Promise((resolve) => setTimeout(resolve, 5_000));
  }
} catch (error) {
  if (!(error instanceof ProblemError)) throw error;
  console.error(error.message);
  if (error.code === 'action.forbidden')
    console.error(
      'In a study with a blinded property only owners read the feed of changes: a program can keep no copy. An owner’s token can, and the lists stay open to programs.',
    );
  process.exitCode = 1;
} finally {
  copy.close();
}

function readArguments() {
  try {
    const options = {
      url: { type: 'string' },
      file: { type: 'string' },
      parquet: { type: 'string' },
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
