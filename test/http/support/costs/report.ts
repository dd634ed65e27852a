import type { RouteCost } from './measure-routes.ts';
import type { ScenarioCost } from './scenarios.ts';
import { patienceMs } from './sender.ts';

/** The figures of a runtime. */
export interface Report {
  tree: string;
  runtime: string;
  at: string;
  routes: RouteCost[];
  scenarios: ScenarioCost[];
  notes: string[];
}

const ms = (value: number) => (value >= patienceMs ? '> 30 s' : `${value.toFixed(value < 10 ? 1 : 0)} ms`);

/** The tables, dearest first. */
export function markdownOf({ tree, runtime, at, routes, scenarios, notes }: Report): string {
  const row = (...cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  const sorted = routes.toSorted((a, b) => b.dearest.cpu - a.dearest.cpu);
  return [
    `# Costs of ${tree} on ${runtime}, ${at}`,
    '',
    ...notes.map((note) => `- ${note}`),
    '',
    row(
      'route',
      'requests',
      'dearest',
      'status',
      'CPU',
      'others wait for',
      'longest wait',
      'computing in it',
    ),
    row('---', '---:', '---', '---', '---:', '---', '---:', '---:'),
    ...sorted.map(({ route, requests, dearest, slowest }) =>
      row(
        route,
        requests,
        dearest.what.replaceAll('|', '/'),
        dearest.status || 'none',
        ms(dearest.cpu),
        slowest.what.replaceAll('|', '/'),
        ms(slowest.stall),
        ms(slowest.stallCpu),
      ),
    ),
    '',
    row(
      'at once',
      'until all were answered',
      'CPU',
      'longest wait',
      'computing meanwhile',
      'answers',
      'a push meanwhile',
    ),
    row('---', '---:', '---:', '---:', '---:', '---', '---'),
    ...scenarios.map((one) =>
      row(
        one.scenario,
        ms(one.ms),
        ms(one.cpu),
        ms(one.stall),
        ms(one.stallCpu),
        Object.entries(one.statuses)
          .map(([status, count]) => `${count} × ${status === '0' ? 'none' : status}`)
          .join(', '),
        one.push ?? '',
      ),
    ),
    '',
  ].join('\n');
}
