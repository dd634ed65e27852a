import { describe, expect, test, vi } from 'vitest';
import { type JoinOptions, joinBatches } from '../../src/db/join-batches.ts';
import { eventuallyPasses } from '../support/eventually.ts';

/** Joined batches of words, each of which answers when the test says so. A word that begins with `bad` fails. */
function newJoin(options: JoinOptions) {
  const batches: { words: readonly string[]; answer: (fault?: Error) => void }[] = [];
  const join = joinBatches(
    (words: readonly string[]) =>
      new Promise<string[]>((resolve, reject) => {
        const answer = (fault?: Error) => {
          const bad = words.find((word) => word.startsWith('bad'));
          if (fault ?? bad) reject(fault ?? new Error(`UNIQUE constraint failed: ${bad}`));
          else resolve(words.map((word) => word.toUpperCase()));
        };
        batches.push({ words, answer });
      }),
    options,
  );
  const ask = (...words: string[]) => join(words, words.join('').length);
  return { ask, batches };
}

const turn = () => vi.advanceTimersByTimeAsync(10);

describe('batches that are joined', () => {
  test('gather while as many as may be are under way, and then go at once', async () => {
    vi.useFakeTimers();
    const { ask, batches } = newJoin({ maxWaitMs: 5, maxConcurrent: 1 });
    const ada = ask('ada');
    await turn();
    const others = [ask('bruno', 'b'), ask('chidi')];
    await turn();
    expect(batches.map(({ words }) => words)).toEqual([['ada']]);
    batches[0]?.answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(batches[1]?.words).toEqual(['bruno', 'b', 'chidi']);
    batches[1]?.answer();
    expect(await ada).toEqual(['ADA']);
    expect(await Promise.all(others)).toEqual([['BRUNO', 'B'], ['CHIDI']]);
    vi.useRealTimers();
  });

  test('never hold more statements or bytes than one takes, but for a caller who alone has more', async () => {
    vi.useFakeTimers();
    const { ask, batches } = newJoin({ maxStatements: 3, maxBytes: 20, maxWaitMs: 5, maxConcurrent: 1 });
    const callers = [
      ask('a'),
      ask('b', 'c'),
      ask('d', 'e'),
      ask('f'),
      ask('g'.repeat(30)),
      ask('h'),
      ask('i'.repeat(20)),
    ];
    for (let n = 0; n < 5; n++) {
      await turn();
      batches[n]?.answer();
    }
    await Promise.all(callers);
    expect(batches.map(({ words }) => words.map(([first]) => first).join(''))).toEqual([
      'abc',
      'def',
      'g',
      'h',
      'i',
    ]);
    vi.useRealTimers();
  });

  test('are tried caller by caller when one caller is at fault', async () => {
    const { ask, batches } = newJoin({ maxWaitMs: 0 });
    const callers = Promise.allSettled([ask('ada'), ask('bad'), ask('chidi')]);
    for (let n = 0; n < 4; n++) {
      await eventuallyPasses(() => expect(batches).toHaveLength(n + 1));
      batches[n]?.answer();
    }
    expect(await callers).toMatchObject([
      { status: 'fulfilled', value: ['ADA'] },
      { status: 'rejected' },
      { status: 'fulfilled', value: ['CHIDI'] },
    ]);
    expect(batches.map(({ words }) => words)).toEqual([['ada', 'bad', 'chidi'], ['ada'], ['bad'], ['chidi']]);
  });

  test.each([
    'D1 DB is overloaded. Requests queued for too long.',
    'Network connection lost.',
    'Durable Object reset because its code was updated.',
  ])('fail together and are not asked again at once: %s', async (message) => {
    const { ask, batches } = newJoin({ maxWaitMs: 0 });
    const callers = Promise.allSettled([ask('ada'), ask('bruno')]);
    await eventuallyPasses(() => expect(batches).toHaveLength(1));
    batches[0]?.answer(new Error(`D1_ERROR: ${message}`));
    expect((await callers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(batches).toHaveLength(1);
  });

  test('are refused when too many wait, and taken again when fewer do', async () => {
    const { ask, batches } = newJoin({ maxWaitMs: 0, maxConcurrent: 1, maxWaiting: 2 });
    const first = ask('ada');
    await eventuallyPasses(() => expect(batches).toHaveLength(1));
    const waiting = [ask('bruno'), ask('chidi')];
    await expect(ask('dana')).rejects.toThrow('Overloaded: 2 others wait already.');
    batches[0]?.answer();
    await first;
    await eventuallyPasses(() => expect(batches).toHaveLength(2));
    const late = ask('dana');
    batches[1]?.answer();
    await Promise.all(waiting);
    await eventuallyPasses(() => expect(batches).toHaveLength(3));
    batches[2]?.answer();
    expect(await late).toEqual(['DANA']);
  });
});
