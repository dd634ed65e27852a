import { durationBounds, latenessBounds, type Operations } from './metrics.ts';

interface Sample {
  name: string;
  value: number;
}

/** A metric of one kind; a sample is its labels, in braces, and its value. */
const metric = (name: string, type: 'counter' | 'gauge', help: string, samples: [string, number][]) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...samples.map(([labels, value]) => `${name}${labels} ${value}`),
];

const gauge = (name: string, help: string, value: number | null) =>
  value === null ? [] : metric(name, 'gauge', help, [['', value]]);

const seconds = (ms: number | null) => (ms === null ? null : ms / 1000);

/** Prometheus' text format, version 0.0.4. */
export function prometheusText(operations: Operations, counters: Sample[]): string {
  return [
    ...counter(counters, 'fieldbell_deliveries_total', 'Attempts to deliver one occurrence, by outcome.'),
    ...counter(
      counters,
      'fieldbell_follow_ups_total',
      'Attempts to deliver a nudge or a snooze, by outcome.',
    ),
    ...counter(
      counters,
      'fieldbell_relay_refusals_total',
      'Pushes and registrations that a push service refused because of credentials or settings.',
    ),
    ...histogram(counters, latenessBounds, {
      name: 'fieldbell_lateness_seconds',
      help: 'Delay between the due time of an occurrence and its push.',
      series: [''],
    }),
    ...histogram(counters, durationBounds, {
      name: 'fieldbell_request_duration_seconds',
      help: 'Time to answer a request, by method, route and class of status.',
    }),
    ...counter(counters, 'fieldbell_errors_total', 'Answers of 5xx, by the code of their problem.'),
    ...counter(counters, 'fieldbell_receipts_total', 'Receipts that were stored, by what they tell.'),
    ...metric(
      'fieldbell_clients_closed_total',
      'counter',
      'Requests whose client hung up before they were complete.',
      [['', counters.find(({ name }) => name === 'fieldbell_clients_closed_total')?.value ?? 0]],
    ),
    ...metric(
      'fieldbell_disabled_phones',
      'gauge',
      'Phones that the relay does not reach, by platform, each counted to 10000.',
      operations.disabledPhones.map(({ platform, count }) => [`{platform="${platform}"}`, count]),
    ),
    ...gauge('fieldbell_overdue', 'Overdue notifications, counted to 10000.', operations.overdue),
    ...gauge(
      'fieldbell_oldest_overdue_seconds',
      'Age of the oldest overdue notification.',
      seconds(operations.oldestOverdueAge) ?? 0,
    ),
    ...gauge('fieldbell_wake_backlog', 'Studies, surveys and people whose plans wait.', operations.wakes),
    ...gauge('fieldbell_last_sweep_age_seconds', 'Time since the last sweep.', seconds(operations.sweepAge)),
    ...gauge(
      'fieldbell_last_reconcile_age_seconds',
      'Time since the last reconcile.',
      seconds(operations.reconcileAge),
    ),
    '',
  ].join('\n');
}

const counter = (counters: Sample[], name: string, help: string) =>
  metric(
    name,
    'counter',
    help,
    counters
      .filter((sample) => sample.name.startsWith(`${name}{`))
      .map((sample) => [sample.name.slice(name.length), sample.value]),
  );

interface Histogram {
  name: string;
  help: string;
  /** The labels of series that are written even without a sample. */
  series?: string[];
}

/** Buckets are stored separately and cumulated here. */
function histogram(counters: Sample[], bounds: number[], { name, help, series = [] }: Histogram): string[] {
  const stored = new Map(counters.map((sample) => [sample.name, sample.value]));
  const labelSets = counters.flatMap((sample) =>
    sample.name.startsWith(`${name}_bucket{`)
      ? [sample.name.slice(name.length + 8).replace(lastLabel, '')]
      : [],
  );
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} histogram`,
    ...[...new Set([...series, ...labelSets])].flatMap((labels) => {
      let total = 0;
      const buckets = [...bounds, '+Inf'].map((bound) => {
        const bucket = `${name}_bucket{${labels && `${labels},`}le="${bound}"}`;
        total += stored.get(bucket) ?? 0;
        return `${bucket} ${total}`;
      });
      const braced = labels && `{${labels}}`;
      return [
        ...buckets,
        `${name}_sum${braced} ${stored.get(`${name}_sum${braced}`) ?? 0}`,
        `${name}_count${braced} ${total}`,
      ];
    }),
  ];
}

const lastLabel = /,?le="[^"]*"}$/;
