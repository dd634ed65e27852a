import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { expect, test } from 'vitest';

/** Each object of 12 stores something in its turn. None looks for one by itself within the time of a test. */
const worker = `
  import { DurableObject } from 'cloudflare:workers';
  import { createDeliverySlots } from './src/platform/cloudflare/delivery-slots.ts';

  const withDeliverySlot = createDeliverySlots(() => Date.now(), { min: 4, max: 4, retryMs: 10 * 3600_000 });
  const events = [];

  export class Member extends DurableObject {
    run(name) {
      return withDeliverySlot(async () => {
        events.push('begin');
        await this.ctx.storage.put('name', name);
        await this.ctx.storage.sync();
        events.push('end');
        return this.ctx.storage.get('name');
      });
    }
  }

  export default {
    async fetch(request, { MEMBERS }) {
      const names = Array.from({ length: 12 }, (_, n) => 'member ' + n);
      const kept = await Promise.all(names.map((name) => MEMBERS.get(MEMBERS.idFromName(name)).run(name)));
      return Response.json({ names, kept, events });
    },
  };
`;

test('in the runtime of Cloudflare an object that ends wakes another, which goes on in its own storage', async () => {
  const stdin = { contents: worker, resolveDir: '.', loader: 'ts' } as const;
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    write: false,
    format: 'esm',
    external: ['cloudflare:*'],
  });
  const [, compatibilityDate = ''] =
    /^compatibility_date = "(.+)"/m.exec(await readFile('wrangler.toml', 'utf8')) ?? [];
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: [{ type: 'ESModule', path: 'worker.js', contents: outputFiles[0]?.text ?? '' }],
      compatibilityDate,
      durableObjects: { MEMBERS: { className: 'Member', useSQLite: true } },
    }),
  );
  try {
    const answer = await miniflare.dispatchFetch('http://worker/');
    const { names, kept, events } = (await answer.json()) as Record<string, string[]>;
    expect(kept).toEqual(names);
    expect(events).toHaveLength(24);
    let underWay = 0;
    const counts = events?.map((event) => (underWay += event === 'begin' ? 1 : -1)) ?? [];
    expect(Math.max(...counts)).toBe(4);
  } finally {
    await miniflare.dispose();
  }
});
