import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { rootMessage } from '../../src/errors.ts';
import { databasePath } from '../../src/platform/server/settings.ts';
import { type KeySet, readHead, readKeySet, type SignedHead } from '../verify/head.ts';
import { drill } from './drill.ts';
import { toText } from './report.ts';
import { type Broken, type DrillOptions, faults } from './result.ts';

const usage = `Usage: npm run -s restore-drill -- [--json] [--keep <file>] [--hours 24]
         [--head head.json]... [--jwks jwks.json] [--break ${faults.join('|')}]

Takes a backup of the database that FIELDBELL_DB or FIELDBELL_STATE names, while its server runs, restores it beside it,
and shows that the copy is whole: the same rows, logs that hold and end at their heads, the same pending reminders, and
reminders that the copy would send and that were not sent before. The copy reaches no phone and no receiver.

  --keep    keeps the backup, if the drill passed, under this name
  --hours   lets this many hours pass in the copy (0 to 168)
  --head    a signed head that was kept: the copy's log has to contain it
  --jwks    the key set of the service, by which kept heads are checked
  --break   breaks the copy, which the drill has to find: a cut file, another answer, another entry of a log, a reminder
            that was sent and is pending again
  --json    prints the result as JSON

Exit status: 0 passed, 1 failed, 2 not run.`;

/** The file that the environment names. */
export const databaseOf = (env: NodeJS.ProcessEnv) =>
  databasePath({ FIELDBELL_STATE: '.wrangler/state', ...env });

/** Runs the command; gives its exit status. */
export async function restoreDrill(
  args: string[],
  env: NodeJS.ProcessEnv,
  print: (text: string) => void = console.log,
): Promise<number> {
  const asked = readArguments(args);
  const database = databaseOf(env);
  if (!asked || !database) {
    console.error(usage);
    return 2;
  }
  const { json, ...options } = asked;
  try {
    const result = await drill(database, { ...options, signingKey: env.AUDIT_SIGNING_KEY });
    print(json ? JSON.stringify(result, null, 2) : toText(result));
    return result.passed ? 0 : 1;
  } catch (error) {
    console.error(rootMessage(error));
    return 2;
  }
}

function readArguments(args: string[]): (DrillOptions & { json: boolean }) | undefined {
  try {
    const { values } = parseArgs({
      args,
      options: {
        json: { type: 'boolean', default: false },
        keep: { type: 'string' },
        hours: { type: 'string', default: '24' },
        head: { type: 'string', multiple: true, default: [] },
        jwks: { type: 'string' },
        break: { type: 'string' },
      },
    });
    const hours = Number(values.hours);
    const broken = values.break as Broken | undefined;
    if (!(hours >= 0 && hours <= 168) || (broken !== undefined && !faults.includes(broken))) return undefined;
    return {
      json: values.json,
      keep: values.keep,
      hours,
      heads: values.head.map((path): SignedHead => readHead(readFileSync(path, 'utf8'))),
      keys: values.jwks === undefined ? undefined : (readKeySet(readFileSync(values.jwks, 'utf8')) as KeySet),
      broken,
    };
  } catch (error) {
    console.error(rootMessage(error));
    return undefined;
  }
}
