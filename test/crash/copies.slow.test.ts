import { expect, test } from 'vitest';
import { acts, newWritten, type Written, writerOf } from '../changes/support/acts.ts';
import { compare, follow, newCopy } from '../changes/support/copies.ts';
import { newWorld } from '../conformance/support/worlds.ts';
import { sleep } from '../support/eventually.ts';
import { Random } from '../support/random.ts';
import { draws, seed } from '../support/seed.ts';
import { newStudy } from '../support/studies.ts';
import { newTarget } from './target.ts';

/*
 * Everybody in a study writes at random, and the process is killed under them. At random moments of its lives
 * copies equal the lists: one that is kept over all lives, and one that begins at the moment.
 */

const moments = draws(48);
const momentsOfLife = 6;

/** Writes of several members at once; a process that dies leaves some without an answer. */
async function write(written: Written): Promise<number> {
  const writers = Array.from({ length: 1 + written.random.int(3) }, () =>
    written.random.pick(acts)(written, writerOf(written)),
  );
  const done = await Promise.allSettled(writers);
  return done.filter(({ status }) => status === 'rejected').length;
}

test(`killed under its writers: copies equal the lists at ${moments} random moments`, async () => {
  const random = new Random(seed);
  const target = await newTarget('node');
  let running = target.spawn(Date.now());
  try {
    await target.ready(running);
    const written = newWritten(await newStudy(newWorld(target)), random);
    const kept = newCopy();
    const met = { lives: 0, lost: 0, compared: 0 };
    while (met.compared < moments) {
      // The first moment of a life is the one right after the death.
      for (let n = 0; n < momentsOfLife; n++) {
        await compare(written, kept, `moment ${n} of life ${met.lives} (seed ${seed})`);
        met.compared++;
        for (let k = random.int(3); k >= 0; k--) expect(await write(written)).toBe(0);
        if (random.chance(0.3)) await follow(kept, written.study.owner, written.study.id, 3, 1);
      }
      const dying = (async () => {
        for (let lost = 0; ; ) {
          lost += await write(written);
          if (lost > 0) return lost;
        }
      })();
      await sleep(random.int(60));
      await running.end('SIGKILL');
      met.lost += await dying;
      running = target.spawn(Date.now());
      await target.ready(running);
      met.lives++;
    }
    expect(met.lives).toBe(Math.ceil(moments / momentsOfLife));
    expect(met.lost).toBeGreaterThanOrEqual(met.lives);
  } finally {
    await running.end('SIGKILL');
    await target.dispose();
  }
});
