import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { local } from '../delivery/fieldbell/local.ts';
import { runOnce } from '../delivery/run.ts';
import { createData } from '../serving/data.ts';
import { startLoad } from '../serving/load.ts';
import { ownerHeaders } from '../serving/measure.ts';
import { requestsOf } from '../serving/operations.ts';
import { startFieldbell } from '../support/fieldbell.ts';
import { inFolder } from '../support/folders.ts';
import { type Spread, shown, spreadOf } from '../support/statistics.ts';
import { alignedTable } from '../support/table.ts';
import { cpuOf } from '../support/usage.ts';
import { type Variant, variants } from './variants.ts';

export interface AblationOptions {
  /** How many are due at once in a delivery. */
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
  /** What is switched off; `nothing` shows the noise. */
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
  for (const variant of [null, ...variants]) {
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
  const sample = async (one: Variant | null): Promise<Sample> => {
    const { cpuSeconds, pushesPerSecond } = await runOnce(local('node', without(one)), people);
    return { cpuMs: cpuSeconds && (cpuSeconds * 1000) / people, perSecond: pushesPerSecond };
  };
  return compare(variant, 'delivery', repetitions, sample);
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
    const [unchanged, changed] = [await start('unchanged', null), await start('changed', variant)];
    const headers = await ownerHeaders();
    const load = startLoad();
    try {
      const results: AblationResult[] = [];
      for (const operation of served) {
        const requests = requestsOf(operation);
        const slice = { headers, requests, seconds: options.secondsPerSlice, client: 'node' } as const;
        for (const { url } of [unchanged, changed]) await load.run({ ...slice, url, seconds: warmUpSeconds });
        results.push(
          await compare(
            variant,
            operation,
            4 * options.repetitions,
            async (_, isChanged): Promise<Sample> => {
              const { url, pid } = isChanged ? changed : unchanged;
              const before = cpuOf([pid]);
              const { requests: answered, requestsPerSecond } = await load.run({ ...slice, url });
              const after = cpuOf([pid]);
              const cpuMs = before === null || after === null ? null : ((after - before) * 1000) / answered;
              return { cpuMs, perSecond: requestsPerSecond };
            },
          ),
        );
      }
      return results;
    } finally {
      await load.end();
    }
  });
}

async function compare(
  variant: Variant | null,
  operation: AblationResult['operation'],
  repetitions: number,
  sample: (variant: Variant | null, isChanged: boolean) => Promise<Sample>,
): Promise<AblationResult> {
  const pairs: { unchanged: Sample; changed: Sample }[] = [];
  for (let n = 0; n < repetitions; n++)
    pairs.push({ unchanged: await sample(null, false), changed: await sample(variant, true) });
  const ratios = pairs.map(({ unchanged, changed }) => ({
    cpuMs: changed.cpuMs && unchanged.cpuMs && changed.cpuMs / unchanged.cpuMs,
    perSecond: changed.perSecond / unchanged.perSecond,
  }));
  return {
    without: variant?.what ?? 'nothing',
    operation,
    unchanged: figuresOf(pairs.map(({ unchanged }) => unchanged)),
    changed: figuresOf(pairs.map(({ changed }) => changed)),
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
