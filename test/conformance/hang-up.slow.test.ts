import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { signToken } from '../support/people.ts';
import { open, runtimes, type Service } from './support/runtimes.ts';
import { newWorld } from './support/worlds.ts';

/** A client that loses its connection in the middle of its request, on every runtime. */
test.concurrent.each(runtimes)('%s logs a client that hangs up as that, and as no fault', async (runtime) => {
  const service = await open(runtime);
  await hangUp(service, 'Content-Length: 1000', '{"name":');
  await eventually('the first is logged', async () => closed(service) === 1);
  await hangUp(service, 'Transfer-Encoding: chunked', '8\r\n{"name":\r\n');
  await eventually('the second is logged', async () => closed(service) === 2);
  const events = service.process.lines.flatMap(eventOf);
  const requests = events.filter(({ event, route }) => event === 'request' && route === '/user');
  expect(requests.map(({ status }) => status)).toEqual([499, 499]);
  expect(events.filter(({ event }) => event === 'request.failed')).toEqual([]);
  await service.dispose();
});

/** The requests whose end is in the log, which hung up. */
const closed = ({ process }: Service) => {
  const events = process.lines.flatMap(eventOf);
  const noticed = events.filter(({ event }) => event === 'client.closed').length;
  return Math.min(noticed, events.filter(({ status }) => status === 499).length);
};

/** Sends the head of a sign-up and a part of its body, and closes the connection once the service is at work. */
async function hangUp(service: Service, length: string, part: string) {
  const { port, hostname } = new URL(service.url);
  const bearer = await signToken(newWorld(service).auth, 'ada');
  const socket = connect(Number(port), hostname).on('error', () => {});
  await once(socket, 'connect');
  const head = ['POST /user HTTP/1.1', `Host: ${hostname}`, `Authorization: Bearer ${bearer}`];
  socket.write([...head, 'Content-Type: application/json', length, '', part].join('\r\n'));
  await fetch(`${service.url}/health`);
  socket.destroy();
}

function eventOf(line: string): { event: string; route?: string; status?: number }[] {
  return line.startsWith('{') ? [JSON.parse(line)] : [];
}
