/**
 * When everybody is to be due: long enough ahead for the jobs of so many to be put in place, and for the workers to
 * start. A full second, which is what a recurrence can name.
 */
export const dueAhead = (size: number): number =>
  Math.ceil((Date.now() + 6_000 + size * msPerJob) / 1000) * 1000;

const msPerJob = 1;
