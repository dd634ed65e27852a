import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { listInbox } from '../../tools/fakes/sns/app.ts';
import { snsDefaults } from '../../tools/fakes/sns/defaults.ts';
import { resultXml } from '../../tools/fakes/sns/protocol.ts';
import { readCall } from '../../tools/fakes/sns/query.ts';
import { State } from '../../tools/fakes/sns/state.ts';

/*
 * The relay of one run: the local SNS, but with checks deferred. Its processor time is taken from the measured system, on
 * the same cores, so it accepts each push at once, and checks signature, phone and message when the inbox is read: a push
 * that SNS refuses fails the run. It keeps connections, as AWS does, which the own server of Deno 2.9.5 does not
 * (denoland/deno#36657). Runs on Deno, where it costs the least. Argument: the file with its initial state.
 */

/** A push as it came. `at`: epoch ms. */
interface Accepted {
  at: number;
  request: IncomingMessage;
  body: Buffer;
}

const { region, accessKeyId, secretAccessKey } = snsDefaults;
/** Some systems run with a moved clock, so a signature may be of any date. */
const credentials = { region, accessKeyId, secretAccessKey, maxSkewMs: Number.POSITIVE_INFINITY };
const [file = ''] = process.argv.slice(2);
const state = new State(JSON.parse(readFileSync(file, 'utf8')));
let accepted: Accepted[] = [];

async function accept(request: IncomingMessage, response: ServerResponse) {
  const body = await buffer(request);
  accepted.push({ at: Date.now(), request, body });
  const id = randomUUID();
  response.setHeader('content-type', 'text/xml').end(resultXml('Publish', { MessageId: id }, id));
}

/** @throws the `SnsError` of the first push that SNS refuses */
function check(): void {
  for (const { at, request, body } of accepted)
    readCall(request, body, { state, credentials, now: () => at }).run();
  accepted = [];
}

async function answer(request: IncomingMessage, response: ServerResponse) {
  if (request.method === 'POST') return accept(request, response);
  // Without a time, by which a moved clock would be found wrong.
  response.sendDate = false;
  if (request.method === 'HEAD') return response.end();
  check();
  if (request.method === 'DELETE') state.clearPushes();
  response.end(JSON.stringify(listInbox(state)));
}

const listener = (request: IncomingMessage, response: ServerResponse) =>
  answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
const server = http.createServer(listener);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ event: 'start', url: `http://127.0.0.1:${port}` }));
});
