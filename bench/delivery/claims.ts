import type { Claim } from '../support/claim.ts';
import { spreadOf } from '../support/statistics.ts';
import type { DeliveryResult } from './results.ts';

const peers = ['bullmq'];
/** For Node and Deno, by the number of people: times the fastest peer in each run, times the floor's processor time. */
const rateGoals: Record<number, number> = { 1000: 1.5, 10000: 1.5 };
const cpuGoals: Record<number, number> = { 10000: 1.5 };
const leastRuns = 5;

/** Each runtime beside the fastest peer and beside the floor, run by run. */
export function deliveryClaims(results: DeliveryResult[]): Claim[] {
  return results
    .filter(({ system }) => !peers.includes(system) && system !== 'floor')
    .flatMap((own) => {
      if (own.runs.length === 0)
        return [{ what: `deliver to ${nameOf(own)}`, fieldbell: own.notes[0] ?? '', beside: '' }];
      const beside = results.filter(({ size, runs }) => size === own.size && runs.length > 0);
      const floor = beside.find(({ system }) => system === 'floor');
      return [
        rateClaim(
          own,
          beside.filter(({ system }) => peers.includes(system)),
        ),
        ...(floor ? [cpuClaim(own, floor)] : []),
      ];
    });
}

const nameOf = ({ size, system }: DeliveryResult) => `${size}: ${system}`;

/** Beside the fastest peer of each run. */
function rateClaim(own: DeliveryResult, measured: DeliveryResult[]): Claim {
  const claim = { what: `deliver to ${nameOf(own)}`, fieldbell: figuresOf(own) };
  const rateOf = ({ spread }: DeliveryResult) => spread.pushesPerSecond?.median ?? 0;
  const fastest = measured.toSorted((a, b) => rateOf(b) - rateOf(a))[0];
  if (!fastest) return { ...claim, beside: 'no peer is installed' };
  const ratios = own.runs.flatMap(({ pushesPerSecond }, n) => {
    const fastestNow = Math.max(0, ...measured.map(({ runs }) => runs[n]?.pushesPerSecond ?? 0));
    return fastestNow > 0 ? [pushesPerSecond / fastestNow] : [];
  });
  const ratio = spreadOf(ratios);
  const least = rateGoals[own.size];
  const isReached = least !== undefined && ratio.min >= least && own.notes.length === 0;
  return {
    ...claim,
    beside: `${fastest.system}: ${figuresOf(fastest)}`,
    ratio,
    ...(least && { goal: { least }, met: isReached && ratios.length < leastRuns ? null : isReached }),
  };
}

/** Beside the minimum of a delivery. */
function cpuClaim(own: DeliveryResult, floor: DeliveryResult): Claim {
  const perDelivery = ({ size, spread }: DeliveryResult) =>
    spread.cpuSeconds ? `${((spread.cpuSeconds.median * 1000) / size).toFixed(2)} ms` : '-';
  const ratios = own.runs.map(
    (run, n) => (run.cpuSeconds ?? Number.NaN) / (floor.runs[n]?.cpuSeconds ?? Number.NaN),
  );
  const most = cpuGoals[own.size];
  return {
    what: `CPU of a delivery to ${nameOf(own)}`,
    fieldbell: perDelivery(own),
    beside: `floor: ${perDelivery(floor)}`,
    ratio: spreadOf(ratios),
    ...(most && { goal: { most } }),
  };
}

function figuresOf({ spread }: DeliveryResult): string {
  const median = (figure: keyof DeliveryResult['spread'], digits = 0) =>
    spread[figure]?.median.toFixed(digits) ?? '-';
  const late = ([spread.p50Ms, spread.p99Ms] as const).map((one) => ((one?.median ?? 0) / 1000).toFixed(1));
  return `${median('pushesPerSecond')}/s, late ${late.join(' and ')} s, CPU ${median('cpuSeconds', 1)} s, ${median('peakMemoryMb')} MB`;
}
