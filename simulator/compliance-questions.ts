import type { Facts } from './facts.ts';
import type { Asked } from './oracle/counts.ts';

const dayMs = 86_400_000;

export const dateAt = (at: number) => new Date(at).toISOString().slice(0, 10);

/** The dates of a run, with those around it. */
export const datesAround = ({ run }: Facts): Asked => ({
  from: dateAt(run.scenario.from - 3 * dayMs),
  to: dateAt(run.scenario.until + 3 * dayMs),
});

/** Draws parts of a question: a period around the run, whose end is drawn after its beginning, and a survey. */
export function drawing({ run }: Facts, random: () => number) {
  const below = (n: number) => Math.floor(random() * n);
  const days = Math.ceil((run.world.at() - run.scenario.from) / dayMs) + 4;
  const date = (day: number) => dateAt(run.scenario.from + (day - 3) * dayMs);
  const first = below(days);
  const surveys = [...run.records.surveys.values()];
  return {
    below,
    from: () => date(first),
    to: () => date(first + below(days - first + 1)),
    survey: () => surveys[below(surveys.length)]?.id,
  };
}

/** Reads a list of the study below its path as the founder does; a parameter that is undefined is left out. */
export async function askFounder(
  { run }: Facts,
  list: string,
  parameters: Readonly<Record<string, string | number | undefined>>,
) {
  const { people, records } = run;
  const query = Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join('&');
  const path = `/investigation/${records.study.id}/${list}?${query}`;
  const { status, body } = await people.once(records.study.founder, 'GET', path);
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${body.detail}`);
  return body;
}
