import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deterministic } from '../../simulator/determinism.ts';
import { breathe } from '../../src/breathe.ts';
import { type LocalService, localService } from '../support/local-service.ts';

let service: LocalService;
beforeEach(async () => {
  service = await localService();
});
afterEach(() => {
  vi.restoreAllMocks();
  return service.dispose();
});

test('turns of long work come by the machine, though a simulated clock stands still', async () => {
  let now = performance.now();
  // Each look at the clock is late, so that the next turn waits for a timer.
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1_000;
    return now;
  });
  const standing = { work: () => 'a request', wait: () => new Promise<void>(() => {}) };
  const turns = async () => {
    for (let n = 0; n < 3; n++) await breathe();
    return 'over';
  };
  expect(await deterministic(1, standing, turns)).toBe('over');
});
