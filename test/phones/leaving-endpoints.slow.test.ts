import { describe, expect, test } from 'vitest';
import { signUp } from '../support/worker/world.ts';
import { acts, sweepTwice, tokensAtRelay } from './support/given-up-endpoints.ts';
import { mortalApp } from './support/mortal-app.ts';

describe('even if the request dies in which', () => {
  test.each(Object.keys(acts))('%s, the old endpoint leaves the relay', async (what) => {
    const act = mortalApp();
    for (let step = 0, alive = true; alive; step++) {
      const [anna, ben] = [await signUp('Anna'), await signUp('Ben')];
      const made = await acts[what]?.(anna, ben);
      if (!made) throw new Error(`no act ${what}`);
      const { by, method, path, body, tokens, kept } = made;
      alive = (await act(by, method.toUpperCase(), path, body, step)).died;
      // A phone that got no answer asks again.
      if (alive) expect([200, 201]).toContain((await by[method](path, body)).status);
      await sweepTwice();
      expect(await tokensAtRelay(tokens), `step ${step}`).toEqual(kept.toSorted());
    }
  });
});
