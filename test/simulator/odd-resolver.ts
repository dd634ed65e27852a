import dns from 'node:dns';
import promises from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';

/** As many look-ups by `dns.lookup` as libuv has under way at once: half of its four threads. */
const threads = 2;

/** Names of servers that never answer. */
const isSilent = (host: string) => host.startsWith('silent-');

/** The look-ups of this process while such names get no answer. */
export interface OddResolver {
  /** Questions about such names so far. */
  asked(): number;
  /** Whether the look-up of another name would have to wait for theirs. */
  holdsUpOthers(): boolean;
  /** Ends their look-ups without an answer, and makes everything as it was. */
  restore(): void;
}

type Done = (error: Error | null, ...rest: never[]) => void;

/** In place of the runtime's: no packet leaves the machine, and a thread is taken until its look-up ends. */
export function oddResolver(): OddResolver {
  const real = { lookup: dns.lookup, prototype: promises.Resolver.prototype };
  const methods = ['resolve4', 'resolve6', 'cancel'] as const;
  const { resolve4, resolve6, cancel } = real.prototype;
  let asked = 0;
  const taken = new Set<() => void>();
  const waiting: (() => void)[] = [];
  const questions = new Map<object, Set<() => void>>();
  const error = () => Object.assign(new Error('queryA ETIMEOUT'), { code: 'ETIMEOUT' });

  const run = (host: string, begin: () => void, done: Done) => {
    if (!isSilent(host)) return begin();
    asked++;
    const end = () => {
      taken.delete(end);
      done(error());
    };
    taken.add(end);
  };
  const lookup = (host: string, ...rest: unknown[]) => {
    const begin = () =>
      run(host, () => (real.lookup as (...all: unknown[]) => void)(host, ...rest), rest.at(-1) as Done);
    if (taken.size < threads) begin();
    else waiting.push(begin);
  };
  dns.lookup = Object.assign(lookup, { __promisify__: real.lookup.__promisify__ }) as typeof dns.lookup;
  const ask = (original: typeof resolve4) =>
    function (this: object, host: string) {
      if (!isSilent(host)) return Reflect.apply(original, this, [host]);
      asked++;
      return new Promise<never>((_, reject) => {
        const own = questions.get(this) ?? new Set();
        questions.set(
          this,
          own.add(() => reject(error())),
        );
      });
    };
  Object.assign(real.prototype, {
    resolve4: ask(resolve4),
    resolve6: ask(resolve6 as typeof resolve4),
    cancel(this: object) {
      for (const end of questions.get(this) ?? []) end();
      questions.delete(this);
      Reflect.apply(cancel, this, []);
    },
  });
  syncBuiltinESMExports();

  return {
    asked: () => asked,
    holdsUpOthers: () => taken.size >= threads,
    restore() {
      dns.lookup = real.lookup;
      for (const name of methods)
        Object.assign(real.prototype, { [name]: { resolve4, resolve6, cancel }[name] });
      syncBuiltinESMExports();
      for (const own of questions.values()) for (const end of own) end();
      while (taken.size > 0 || waiting.length > 0) {
        for (const end of [...taken]) end();
        waiting.shift()?.();
      }
    },
  };
}
