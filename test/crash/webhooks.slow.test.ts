import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newWorld } from '../conformance/support/worlds.ts';
import { eventually } from '../support/eventually.ts';
import { created } from '../support/people.ts';
import { newCase, newStudy } from '../support/studies.ts';
import { newTarget } from './target.ts';

interface Call {
  headers: Record<string, string>;
  text: string;
  answer: ServerResponse;
}

/** A receiver on this machine, which answers when a test says so. */
async function newReceiver() {
  const calls: Call[] = [];
  const server = createServer(async (request, answer) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    calls.push({ headers: request.headers as Record<string, string>, text, answer });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/?key=of-the-url`;
  const call = (n: number) => eventually(`call ${n}`, () => calls[n]);
  return { url, calls, call, end: () => server.close() };
}

test.concurrent.each(['node', 'deno'] as const)(
  'a %s that dies behind the 2xx of a receiver repeats the call under its id, and loses no change',
  async (runtime) => {
    const [target, receiver] = [await newTarget(runtime), await newReceiver()];
    const born = Date.now();
    let running = target.spawn(born);
    try {
      await target.ready(running);
      const study = await newStudy(newWorld(target));
      const { secret } = created(
        await study.owner.post(`/investigation/${study.id}/webhook`, { url: receiver.url, after: 0 }),
      );
      const first = await receiver.call(0);
      // The answer arrives at a process that never reads it.
      process.kill(running.pid, 'SIGSTOP');
      first.answer.writeHead(204).end();
      await running.end('SIGKILL');
      const lines = [...running.lines];

      running = target.spawn(born + 120_000);
      await target.ready(running);
      const again = await receiver.call(1);
      expect(again.text).toBe(first.text);
      expect(again.headers['webhook-id']).toBe(first.headers['webhook-id']);
      new Webhook(secret).verify(again.text, again.headers);
      again.answer.writeHead(204).end();

      await newCase(study, study.owner, 'Night 1');
      const next = await receiver.call(2);
      next.answer.writeHead(204).end();
      expect(next.headers['webhook-id']).not.toBe(first.headers['webhook-id']);
      const told = [again, next].flatMap(({ text }) => JSON.parse(text).changes);
      const { changes } = (await study.owner.get(`/investigation/${study.id}/changes`)).body;
      expect(told).toEqual(changes.map(({ revision: _, ...change }: Record<string, unknown>) => change));

      lines.push(...running.lines);
      expect(lines.length).toBeGreaterThan(1);
      for (const hidden of [secret, 'of-the-url']) expect(lines.join('\n')).not.toContain(hidden);
    } finally {
      await running.end('SIGKILL');
      receiver.end();
      await target.dispose();
    }
  },
);
