/*
 * Loaded before the program, which runs with `--expose-gc`: on SIGUSR2 it writes how much memory was in use at most
 * since the last time. Garbage is collected before each look, so that it counts for nothing.
 */
const collect = globalThis.gc;
if (!collect) throw new Error('Start Node with --expose-gc.');

let round = 0;
let [live, resident] = [0, 0];

function look() {
  collect?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  live = Math.max(live, heapUsed + external);
  resident = Math.max(resident, rss);
}
setInterval(look, 200).unref();

process.on('SIGUSR2', () => {
  look();
  console.log(JSON.stringify({ event: 'memory', round: ++round, live, resident }));
  [live, resident] = [0, 0];
});

export {};
