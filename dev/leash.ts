/**
 * Preloaded into every process of wrangler: when the one that started it is gone, killed before it could clean up,
 * the whole group goes too. Otherwise the runtime would live on and keep the port.
 */
const starter = process.ppid;

setInterval(() => {
  if (process.ppid !== starter) process.kill(0, 'SIGKILL');
}, 500).unref();
