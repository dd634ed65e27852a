import { latenessBounds, type Operations } from '../model/metrics.ts';

interface Sample {
  name: string;
  value: number;
}

const gauge = (name: string, help: string, value: number | null) =>
  value === null ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`];

const seconds = (ms: number | null) => (ms === null ? null : ms / 1000);

/** Prometheus' text format, version 0.0.4. */
export function prometheusText(operations: Operations, counters: Sample[]): string {
  return [
    ...deliveries(counters),
    ...lateness(counters),
    ...clientsClosed(counters),
    ...gauge('fieldbell_overdue', 'Overdue notifications, counted to 10000.', operations.overdue),
    ...gauge(
      'fieldbell_oldest_overdue_seconds',
      'Age of the oldest overdue notification.',
      seconds(operations.oldestOverdueAge) ?? 0,
    ),
    ...gauge('fieldbell_replan_backlog', 'Outbox rows that wait to be planned.', operations.replans),
    ...gauge(
      'fieldbell_dead_letters',
      'Chunks of users whose planning failed for good.',
      operations.deadLetters,
    ),
    ...gauge('fieldbell_last_sweep_age_seconds', 'Time since the last sweep.', seconds(operations.sweepAge)),
    ...gauge(
      'fieldbell_last_reconcile_age_seconds',
      'Time since the last reconcile.',
      seconds(operations.reconcileAge),
    ),
    '',
  ].join('\n');
}

function deliveries(counters: Sample[]): string[] {
  const name = 'fieldbell_deliveries_total';
  const samples = counters.filter((sample) => sample.name.startsWith(`${name}{`));
  return [
    `# HELP ${name} Attempts to deliver one occurrence, by outcome.`,
    `# TYPE ${name} counter`,
    ...samples.map((sample) => `${sample.name} ${sample.value}`),
  ];
}

function clientsClosed(counters: Sample[]): string[] {
  const name = 'fieldbell_clients_closed_total';
  const value = counters.find((sample) => sample.name === name)?.value ?? 0;
  return [
    `# HELP ${name} Requests whose client hung up before they were complete.`,
    `# TYPE ${name} counter`,
    `${name} ${value}`,
  ];
}

/** Buckets are stored separately and cumulated here. */
function lateness(counters: Sample[]): string[] {
  const name = 'fieldbell_lateness_seconds';
  const stored = new Map(counters.map((sample) => [sample.name, sample.value]));
  let total = 0;
  const buckets = [...latenessBounds, '+Inf'].map((bound) => {
    total += stored.get(`${name}_bucket{le="${bound}"}`) ?? 0;
    return `${name}_bucket{le="${bound}"} ${total}`;
  });
  return [
    `# HELP ${name} Delay between the due time of an occurrence and its push.`,
    `# TYPE ${name} histogram`,
    ...buckets,
    `${name}_sum ${stored.get(`${name}_sum`) ?? 0}`,
    `${name}_count ${total}`,
  ];
}
