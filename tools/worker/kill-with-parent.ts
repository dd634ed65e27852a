/*
 * Preloaded into wrangler, and into what runs its local runtime. Kills the whole group when the parent is gone, for example
 * killed before it could clean up. Otherwise the runtime would live on and keep the port.
 */
const parentId = process.ppid;

setInterval(() => {
  if (process.ppid !== parentId) process.kill(0, 'SIGKILL');
}, 500).unref();
