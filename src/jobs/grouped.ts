interface Call<In, Out> {
  input: In;
  resolve(out: Out): void;
  reject(error: unknown): void;
}

/** When a group is complete. */
interface Grouping {
  /** It has so many inputs. */
  most: number;
  /** So long after its first. */
  gatherMs: number;
  /** It has those of all callers there are at the moment, so that nobody waits for nothing. */
  callers?: () => number;
}

/**
 * Makes one call of `work` out of many. A group that fails is done again input by input, so that the trouble of one is not
 * that of the others: `work` must be something that may happen twice.
 */
export function grouped<In, Out>(
  work: (inputs: In[]) => Promise<Out[]>,
  { most, gatherMs, callers = () => most }: Grouping,
): (input: In) => Promise<Out> {
  let gathered: Call<In, Out>[] = [];
  let timer: ReturnType<typeof setTimeout>;

  async function run(group: Call<In, Out>[]) {
    try {
      const outs = await work(group.map(({ input }) => input));
      for (const [n, { resolve }] of group.entries()) resolve(outs[n] as Out);
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error);
      else await Promise.all(group.map((call) => run([call])));
    }
  }

  function complete() {
    clearTimeout(timer);
    const group = gathered;
    gathered = [];
    void run(group);
  }

  return (input) =>
    new Promise((resolve, reject) => {
      gathered.push({ input, resolve, reject });
      if (gathered.length >= Math.min(most, callers())) complete();
      else if (gathered.length === 1) timer = setTimeout(complete, gatherMs);
    });
}
