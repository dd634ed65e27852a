import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** Types of records (RFC 1035, RFC 3596), and the bytes of their addresses. */
const types: Record<number, (address: string) => number[] | undefined> = {
  1: (address) => (address.includes(':') ? undefined : address.split('.').map(Number)),
  28: (address) => {
    if (!address.includes(':')) return undefined;
    const [head = '', tail = ''] = address.split('::');
    const groups = (part: string) =>
      part
        .split(':')
        .filter(Boolean)
        .map((one) => Number.parseInt(one, 16));
    const [first, last] = [groups(head), groups(tail)];
    const all = [...first, ...Array(8 - first.length - last.length).fill(0), ...last];
    return all.flatMap((group) => [group >> 8, group & 255]);
  },
};

/** The labels of the first question, and the offset behind it. */
function questionOf(message: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** A server of DNS that knows these names; of others it says nothing at all, however often it is asked. */
export async function startNameServer(names: Record<string, string[]> = {}) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { name, type, end } = questionOf(message);
    asked.push(name);
    const known = names[name];
    if (!known) return;
    const records = known.flatMap((one) => {
      const bytes = types[type]?.(one);
      // A pointer to the question's name, type, class IN, no time to live.
      return bytes ? [Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes])] : [];
    });
    const answer = Buffer.concat([message.subarray(0, end), ...records]);
    answer.writeUInt16BE(0x8180, 2);
    answer.writeUInt16BE(records.length, 6);
    answer.writeUInt16BE(0, 8);
    answer.writeUInt16BE(0, 10);
    socket.send(answer, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    /** Names of the questions, repeats included. */
    asked,
    close: () => new Promise<void>((resolve) => socket.close(resolve)),
  };
}
