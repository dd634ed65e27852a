import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { listInbox } from '../../dev/sns/app.ts';
import { snsDefaults } from '../../dev/sns/defaults.ts';
import { resultXml } from '../../dev/sns/protocol.ts';
import { readCall } from '../../dev/sns/query.ts';
import { State } from '../../dev/sns/state.ts';

/*
 * The relay of one run: the local SNS, but with checks deferred. Its processor time is taken from the measured system, on
 * the same cores, so it accepts each push at once, and checks signature, phone and message when the inbox is read: a push
 * that SNS refuses fails the run. Runs on Deno, whose server costs the least. Argument: the file with its initial state.
 */
declare const Deno: {
  args: [string];
  serve(
    options: {
      hostname: string;
      port: number;
      onListen: (address: { port: number }) => void;
      onError: (error: Error) => Response;
    },
    handler: (request: Request) => Promise<Response>,
  ): void;
};

/** A push as it came. `at`: epoch ms. */
interface Accepted {
  at: number;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: ArrayBuffer;
}

const { region, accessKeyId, secretAccessKey } = snsDefaults;
/** Some systems run with a moved clock, so a signature may be of any date. */
const credentials = { region, accessKeyId, secretAccessKey, maxSkewMs: Number.POSITIVE_INFINITY };
const state = new State(JSON.parse(await readFile(Deno.args[0], 'utf8')));
let accepted: Accepted[] = [];

async function accept(request: Request): Promise<Response> {
  const { method, url } = request;
  const headers = Object.fromEntries(request.headers);
  const body = await request.arrayBuffer();
  accepted.push({ at: Date.now(), method, url, headers, body });
  const id = randomUUID();
  return new Response(resultXml('Publish', { MessageId: id }, id), {
    headers: { 'content-type': 'text/xml' },
  });
}

/** @throws the `SnsError` of the first push that SNS refuses */
function check(): void {
  for (const { at, body, ...request } of accepted)
    readCall(request, Buffer.from(body), { state, credentials, now: () => at }).run();
  accepted = [];
}

Deno.serve(
  {
    hostname: '127.0.0.1',
    port: 0,
    onListen: ({ port }) => console.log(JSON.stringify({ event: 'start', url: `http://127.0.0.1:${port}` })),
    onError: ({ message }) => new Response(message, { status: 500 }),
  },
  async (request) => {
    if (request.method === 'POST') return accept(request);
    // Sends no time, by which a moved clock would be found wrong.
    if (request.method === 'HEAD') return new Response(null, { headers: { date: '' } });
    check();
    if (request.method === 'DELETE') state.clearPushes();
    return Response.json(listInbox(state));
  },
);
