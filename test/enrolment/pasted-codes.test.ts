import { expect, test } from 'vitest';
import { enrol, newCode } from '../support/participants.ts';
import { requestOf } from '../support/people.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { sleepStudy, world } from '../support/worker/world.ts';

test('a code is read from what a person pastes, by both routes, and no longer text is looked at', async () => {
  setClock(startOfTests);
  const { owner, id } = await sleepStudy();
  const { code, url } = await newCode(owner, id, { uses: 50 });
  const about = (typed: string) =>
    world.send('/enrol/about', requestOf({ method: 'POST', body: { code: typed } }));
  const [a, b, c] = code.split('-') as [string, string, string];
  const wide = [...code].map((one) => String.fromCodePoint((one.codePointAt(0) ?? 0) + 0xfee0)).join('');
  for (const typed of [
    url,
    encodeURIComponent(url),
    `${a}–${b}–${c}`,
    `${a}\u2011${b}\u2011${c}`,
    `\u200f${a}\u00ad${b}\u200b${c}.`,
    wide,
    `Code: ${code}\r\n`,
  ]) {
    expect((await about(typed)).status, typed).toBe(200);
    expect((await enrol(world, typed)).status, typed).toBe(201);
  }
  for (const typed of [`${code}${' '.repeat(2000)}`, `${a}-${b}`]) {
    expectProblem(await changingNothing(() => enrol(world, typed)), 'request.invalid');
    expectProblem(await about(typed), 'request.invalid');
  }
});
