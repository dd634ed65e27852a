import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { local } from '../delivery/fieldbell/local.ts';
import { runOnce } from '../delivery/run.ts';
import { createData } from '../serving/data.ts';
import { startLoad } from '../serving/load.ts';
import { ownerHeaders } from '../serving/measure.ts';
import { requestsOf } from '../serving/operations.ts';
import { type Service, startFieldbell } from '../support/fieldbell.ts';
import { inFolder } from '../support/folders.ts';
import { type Spread, shown, spreadOf } from '../support/statistics.ts';
import { alignedTable } from '../support/table.ts';
import { cpuOf } from '../support/usage.ts';
import { type Variant, variantNamed, variants } from './variants.ts';

export interface AblationOptions {
  /** Names of variants; all by default. */
  names?: readonly string[];
  /** People due at once in a delivery. */
  people: number;
  /** Pairs of deliveries: unchanged, then without the optimisation. Of slices there are four times as many. */
  repetitions: number;
  secondsPerSlice: number;
  log: (line: string) => void;
}

interface Figures {
  /** Of the service's process; null without /proc. */
  cpuMsPerOperation: Spread | null;
  perSecond: Spread;
}

export interface AblationResult {
  /** The variant that is switched off; `nothing` shows the noise. */
  without: string;
  operation: (typeof operations)[number];
  unchanged: Figures;
  changed: Figures;
  /** Changed divided by unchanged, of each pair. */
  ratio: Figures;
}

const served = ['lock 100 items', 'a page of 100', 'one response'] as const;
const operations = ['delivery', ...served] as const;

const warmUpSeconds = 2;

/** Node with one optimisation at a time switched off, in turns with the unchanged service. */
export async function measureAblation(options: AblationOptions): Promise<AblationResult[]> {
  const results: AblationResult[] = [];
  for (const variant of [null, ...(options.names?.map(variantNamed) ?? variants)]) {
    const measured = [await measureDelivery(variant, options), ...(await measureServing(variant, options))];
    for (const { without, operation, ratio } of measured)
      options.log(
        `without ${without}, ${operation}: CPU ${ratio.cpuMsPerOperation?.median.toFixed(2) ?? '-'}`,
      );
    results.push(...measured);
  }
  return results;
}

/** Options that load the service without the optimisation. */
const without = (variant: Variant | null) =>
  variant ? { preload: ['./bench/ablation/replace.ts'], env: { ABLATION: variant.name } } : {};

interface Sample {
  cpuMs: number | null;
  perSecond: number;
}

async function measureDelivery(variant: Variant | null, { people, repetitions }: AblationOptions) {
  const sample = (one: Variant | null) => async (): Promise<Sample> => {
    const { cpuSeconds, pushesPerSecond } = await runOnce(local('node', without(one)), people);
    return { cpuMs: cpuSeconds && (cpuSeconds * 1000) / people, perSecond: pushesPerSecond };
  };
  return {
    without: nameOf(variant),
    operation: 'delivery' as const,
    ...(await compare(sample(null), sample(variant), repetitions)),
  };
}

function measureServing(variant: Variant | null, options: AblationOptions): Promise<AblationResult[]> {
  return inFolder(async (folder) => {
    const template = join(folder, 'template');
    await createData('node', template);
    const start = async (name: string, one: Variant | null) => {
      const own = join(folder, name);
      await cp(template, own, { recursive: true });
      return startFieldbell('node', { folder: own, ...without(one) });
    };
    const unchanged = await start('unchanged', null);
    const changed = await start('changed', variant);
    const headers = await ownerHeaders();
    const load = startLoad();
    const results: AblationResult[] = [];
    for (const operation of served) {
      const slice = { headers, requests: requestsOf(operation), client: 'node' } as const;
      const sample =
        ({ url, pid }: Service, seconds: number) =>
        async (): Promise<Sample> => {
          const before = cpuOf([pid]);
          const { requests, requestsPerSecond } = await load.run({ ...slice, url, seconds });
          const after = cpuOf([pid]);
          const cpuMs = before === null || after === null ? null : ((after - before) * 1000) / requests;
          return { cpuMs, perSecond: requestsPerSecond };
        };
      for (const service of [unchanged, changed]) await sample(service, warmUpSeconds)();
      const seconds = options.secondsPerSlice;
      results.push({
        without: nameOf(variant),
        operation,
        ...(await compare(sample(unchanged, seconds), sample(changed, seconds), 4 * options.repetitions)),
      });
    }
    await load.end();
    return results;
  });
}

const nameOf = (variant: Variant | null) => variant?.what ?? 'nothing';

type Sampler = () => Promise<Sample>;

async function compare(unchanged: Sampler, changed: Sampler, repetitions: number) {
  const pairs: [Sample, Sample][] = [];
  for (let n = 0; n < repetitions; n++) pairs.push([await unchanged(), await changed()]);
  const ratios = pairs.map(([before, after]) => ({
    cpuMs: after.cpuMs && before.cpuMs && after.cpuMs / before.cpuMs,
    perSecond: after.perSecond / before.perSecond,
  }));
  return {
    unchanged: figuresOf(pairs.map(([sample]) => sample)),
    changed: figuresOf(pairs.map(([, sample]) => sample)),
    ratio: figuresOf(ratios),
  };
}

function figuresOf(samples: Sample[]): Figures {
  const cpu = samples.map(({ cpuMs }) => cpuMs).filter((cpuMs) => cpuMs !== null);
  return {
    cpuMsPerOperation: cpu.length > 0 ? spreadOf(cpu) : null,
    perSecond: spreadOf(samples.map(({ perSecond }) => perSecond)),
  };
}

export function ablationTable(results: readonly AblationResult[]): string {
  const head = ['without', 'operation', 'CPU ms', 'then', 'ratio', 'per second', 'then', 'ratio'];
  const rows = results.map(({ without, operation, unchanged, changed, ratio }) => {
    const cpu = ({ cpuMsPerOperation }: Figures, digits: number) =>
      cpuMsPerOperation ? shown(cpuMsPerOperation, digits) : '-';
    return [
      without,
      operation,
      cpu(unchanged, 3),
      cpu(changed, 3),
      cpu(ratio, 2),
      shown(unchanged.perSecond, 0),
      shown(changed.perSecond, 0),
      shown(ratio.perSecond),
    ];
  });
  return alignedTable(head, rows);
}
