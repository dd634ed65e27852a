import { setImmediate } from 'node:timers';

/** Joins all of one turn of the event loop into a list, which `take` gets when the turn ends. */
export function perTurn<T>(take: (all: T[]) => void): (item: T) => void {
  let all: T[] = [];
  const end = () => {
    const taken = all;
    all = [];
    take(taken);
  };
  return (item) => {
    if (all.push(item) === 1) setImmediate(end);
  };
}
