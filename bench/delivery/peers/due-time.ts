/** A full second, as recurrences name, with time before it to add the jobs and start the workers. */
export const nextDueTime = (size: number): number =>
  Math.ceil((Date.now() + 6_000 + size * msPerJob) / 1000) * 1000;

const msPerJob = 1;
