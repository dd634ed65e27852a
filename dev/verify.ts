import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { BrokenChain, beginning, type Followed, follow } from './verify/chain.ts';
import { checkSignature, readHead, readKeySet, type SignedHead } from './verify/head.ts';

const usage = `Usage: npm run verify -- <audit.ndjson> [--head head.json [--jwks jwks.json]]

Checks an exported activity log without the service. The files are what the service answered:
  GET /investigation/:id/activity with Accept: application/x-ndjson
  GET /investigation/:id/activity/head, kept from an earlier day
  GET /.well-known/jwks.json
With --head it also finds entries that were cut off the end, and with --jwks a head that is not the service's.`;

interface Arguments {
  log: string;
  head?: string | undefined;
  jwks?: string | undefined;
}

function readArguments(): Arguments | undefined {
  try {
    const { values, positionals } = parseArgs({
      options: { head: { type: 'string' }, jwks: { type: 'string' } },
      allowPositionals: true,
    });
    const [log, ...more] = positionals;
    return log === undefined || more.length > 0 || (values.jwks && !values.head)
      ? undefined
      : { log, ...values };
  } catch {
    return undefined;
  }
}

/** Line by line, so that a log of any length fits. @throws BrokenChain */
async function walk(path: string, head: SignedHead | undefined): Promise<Followed> {
  let followed = beginning;
  const check = () => {
    if (head && followed.position === head.position && followed.hash !== head.hash)
      throw new BrokenChain(
        `position ${head.position}: the hash is not that of the head: the log was rebuilt`,
      );
  };
  check();
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    followed = follow(followed, line);
    check();
  }
  return followed;
}

async function main({ log, head: headFile, jwks }: Arguments): Promise<string> {
  const head = headFile === undefined ? undefined : readHead(readFileSync(headFile, 'utf8'));
  if (head && jwks !== undefined) checkSignature(head, readKeySet(readFileSync(jwks, 'utf8')));
  const { investigation, position, hash } = await walk(log, head);
  if (head && investigation !== undefined && head.investigation !== investigation)
    throw new BrokenChain(`the head is of another study: ${head.investigation}`);
  if (head && position < head.position)
    throw new BrokenChain(
      `position ${position + 1}: the log was cut off here; the head of ${head.at} has ${head.position} entries`,
    );
  const signed = jwks === undefined ? '' : ', and the head is signed';
  return `${investigation ?? 'an empty log'}: ${position} entries, all as they were written${signed}. The newest hash is ${hash}.`;
}

const args = readArguments();
if (!args) {
  console.error(usage);
  process.exitCode = 2;
} else
  try {
    console.log(await main(args));
  } catch (error) {
    const isExpected = error instanceof BrokenChain || (error instanceof Error && 'code' in error);
    if (!isExpected) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
