import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { Random } from '../support/random.ts';
import { seed } from '../support/seed.ts';
import { recountRandomly, setUpRecount } from './support/recount.ts';

test('in D1, compliance is what a recount says, whatever happens', async () => {
  const db = openD1(env.DB);
  await setUpRecount(db);
  expect(await recountRandomly(db, new Random(seed), 500)).toEqual([]);
});
