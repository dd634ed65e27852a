import { createReadStream, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { BrokenChain, beginning, type Followed, follow } from './chain.ts';
import { checkSignature, readHead, readKeySet, type SignedHead } from './head.ts';
import { checkItems, hasDigest, type ItemList, readItems } from './items.ts';
import { linesOf, textOf } from './ndjson.ts';
import { notChecked } from './not-checked.ts';

const usage = `Usage: npm run verify -- <audit.ndjson> [--head head.json [--jwks jwks.json]] [--items 7=items.ndjson]...

Checks an exported activity log without the service. The files are what the service answered:
  GET /investigation/:id/activity with Accept: application/x-ndjson
  GET /investigation/:id/activity/head, kept from an earlier day
  GET /.well-known/jwks.json
  GET /investigation/:id/activity/:entry/items, of the entry at a position: all its pages, each on a line
With --head it also finds entries that were cut off the end, and with --jwks a head that is not the service's.
With --items it finds a list that is not what the entry at that position changed.
Entries that a reader of a part of the study is shown with less are links of the chain, and their content is not checked.
The output names what a run did not check.`;

interface Arguments {
  log: string;
  head?: string | undefined;
  jwks?: string | undefined;
  /** By position. */
  items: Map<number, string>;
}

function readArguments(args: string[]): Arguments | undefined {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: {
        head: { type: 'string' },
        jwks: { type: 'string' },
        items: { type: 'string', multiple: true, default: [] },
      },
      allowPositionals: true,
    });
    const [log, ...more] = positionals;
    const items = values.items.map((option) => /^([1-9]\d{0,14})=(.+)$/.exec(option));
    if (log === undefined || more.length > 0 || (values.jwks && !values.head) || items.includes(null))
      return undefined;
    return { log, ...values, items: new Map(items.map((found) => [Number(found?.[1]), found?.[2] ?? ''])) };
  } catch {
    return undefined;
  }
}

/** Line by line, so that a log of any length fits. `unlisted`: entries whose items were not given. @throws BrokenChain */
async function walk(
  path: string,
  head: SignedHead | undefined,
  lists: Map<number, ItemList>,
): Promise<Followed & { unlisted: number }> {
  let followed = beginning;
  let unlisted = 0;
  const check = () => {
    if (head && followed.position === head.position && followed.hash !== head.hash)
      throw new BrokenChain(
        `position ${head.position}: the hash is not that of the head: the log was rebuilt`,
      );
    const list = lists.get(followed.position);
    if (list && followed.entry.redacted)
      throw new BrokenChain(
        `position ${followed.position}: the log shows a part of this entry, so that a list of items cannot be compared with it`,
      );
    if (list) checkItems(followed.entry, list);
    else if (hasDigest(followed.entry)) unlisted += 1;
  };
  check();
  for await (const line of linesOf(createReadStream(path))) {
    followed = follow(followed, line);
    check();
  }
  return { ...followed, unlisted };
}

const read = (file: string) => textOf(readFileSync(file));

async function check({ log, head: headFile, jwks, items }: Arguments): Promise<string> {
  const head = headFile === undefined ? undefined : readHead(read(headFile));
  if (head && jwks !== undefined) checkSignature(head, readKeySet(read(jwks)));
  const lists = new Map([...items].map(([at, file]) => [at, readItems(read(file))]));
  const { investigation, position, hash, unlisted, redacted } = await walk(log, head, lists);
  if (head && investigation !== undefined && head.investigation !== investigation)
    throw new BrokenChain(`the head is of another study: ${head.investigation}`);
  if (head && position < head.position)
    throw new BrokenChain(
      `position ${position + 1}: the log was cut off here; the head of ${head.at} has ${head.position} entries`,
    );
  const beyond = [...lists.keys()].find((at) => at > position);
  if (beyond !== undefined)
    throw new BrokenChain(`position ${beyond}: there is no such entry to have changed the given items`);
  const signed = jwks === undefined ? '' : ', and the head is signed';
  const open = notChecked({
    position,
    head: head?.position,
    isSigned: jwks !== undefined,
    unlisted,
    redacted,
  });
  return [
    `${investigation ?? 'an empty log'}: ${position} entries, ${redacted > 0 ? `the ${position - redacted} that are shown whole` : 'all'} as they were written${signed}. The newest hash is ${hash}.`,
    'Not checked:',
    ...open.map((what) => `- ${what}`),
  ].join('\n');
}

/** The command's output, and its exit code: 0 if every entry is unaltered, 1 if not, 2 for its usage. */
export async function verify(args: string[]): Promise<{ status: number; out: string; error: string }> {
  const parsed = readArguments(args);
  if (!parsed) return { status: 2, out: '', error: usage };
  try {
    return { status: 0, out: await check(parsed), error: '' };
  } catch (error) {
    const isExpected = error instanceof BrokenChain || (error instanceof Error && 'code' in error);
    if (!isExpected) throw error;
    return { status: 1, out: '', error: error.message };
  }
}
