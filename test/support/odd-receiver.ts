import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** Between two bytes of an answer that trickles in. */
const dripMs = 20;

const chunk = (bytes: Uint8Array) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
const filler = chunk(Buffer.alloc(16_384, 'x'));
/** 16 MB of spaces in 16 KB, one member of many. */
const bomb = chunk(gzipSync(Buffer.alloc(16 * 1024 * 1024, ' ')));

const head = (status: string, ...headers: string[]) =>
  [`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n');
const whole = (status: string, ...headers: string[]) => head(status, ...headers, 'content-length: 0');

/** Writes for as long as the caller takes it. */
function forEver(socket: Socket, text: string | Uint8Array): void {
  if (!socket.destroyed) socket.write(text, () => setImmediate(forEver, socket, text));
}

/** Writes one character at a time, and then begins `more` again and again. */
function drip(socket: Socket, text: string, more: string): void {
  if (socket.destroyed) return;
  socket.write(text[0] ?? '');
  setTimeout(drip, dripMs, socket, text.slice(1) || more, more);
}

/** The ways of a receiver once a request has come, by the first part of its path. */
export const oddities = {
  /** Takes the request, and says nothing. */
  silent: () => {},
  switches: (socket) => socket.write(head('101 Switching Protocols', 'connection: upgrade', 'upgrade: odd')),
  continues: (socket) => forEver(socket, head('100 Continue')),
  processes: (socket) => forEver(socket, head('102 Processing')),
  hints: (socket) => forEver(socket, head('103 Early Hints', 'link: </x>; rel=preload')),
  /** Headers a byte at a time, without an end. */
  drips: (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'x: 1\r\n'),
  /** Headers as fast as they are taken, without an end. */
  heads: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    forEver(socket, `x: ${'1'.repeat(8_000)}\r\n`);
  },
  /** Ends its own half without an answer, and leaves the caller's open. */
  'half-closes': (socket) => socket.end(),
  resets: (socket) => socket.resetAndDestroy(),
  'resets-after-headers': (socket) =>
    socket.write(head('200 OK', 'content-length: 100'), () => socket.resetAndDestroy()),
  /** A body without an end, as fast as it is taken. */
  endless: (socket) => {
    socket.write(head('200 OK', 'transfer-encoding: chunked'));
    forEver(socket, filler);
  },
  /** An endless body of a refusal. */
  'endless-refusal': (socket) => {
    socket.write(head('500 Internal Server Error', 'transfer-encoding: chunked'));
    forEver(socket, filler);
  },
  /** A body a byte at a time, without an end. */
  'drips-body': (socket) => {
    socket.write(head('200 OK', 'content-length: 1000000'));
    drip(socket, '', 'x');
  },
  /** Announces a body that never comes. */
  'owes-body': (socket) => socket.write(head('200 OK', 'content-length: 100')),
  /** A compressed body, a thousand times as large when it is unpacked, without an end. */
  bombs: (socket) => {
    socket.write(head('200 OK', 'content-encoding: gzip', 'transfer-encoding: chunked'));
    forEver(socket, bomb);
  },
  /** Says at once that it is elsewhere, which is here. */
  redirects: (socket, path) => socket.write(whole('307 Temporary Redirect', `location: ${path}`)),
  babbles: (socket) => socket.write('220 odd.example.org ESMTP\r\n'),
} satisfies Record<string, (socket: Socket, path: string) => unknown>;

export type Oddity = keyof typeof oddities;
export const oddityNames = Object.keys(oddities) as Oddity[];

export interface OddReceiver {
  /** Without a slash at its end. */
  url: string;
  port: number;
  /** Paths of the requests that came. TLS has none: its handshake gets no answer. */
  requests: string[];
  /** Connections that are open now. */
  open(): number;
  /** Bytes that were written in all, those in the buffers of the system included. */
  written(): number;
  close(): Promise<void>;
}

/**
 * A server that does what a request's path asks for (`/switches/anything`), or `always` the same. A path that names no
 * oddity gets 204.
 */
export async function startOddReceiver(always?: Oddity, port = 0): Promise<OddReceiver> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let closed = 0;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      closed += socket.bytesWritten;
      sockets.delete(socket);
    });
    // A caller that is done is not waited for, except by those that ended their own half.
    socket.on('end', () => socket.destroy());
    socket.once('data', (first) => {
      socket.resume();
      const path = /^[A-Z]+ (\S+) HTTP/.exec(first.toString('latin1'))?.[1];
      if (path === undefined) return;
      requests.push(path);
      const name = always ?? path.split('/')[1] ?? '';
      if (Object.hasOwn(oddities, name)) oddities[name as Oddity](socket, path);
      else socket.end(whole('204 No Content', 'connection: close'));
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const at = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${at}`,
    port: at,
    requests,
    open: () => sockets.size,
    written: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, closed),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
