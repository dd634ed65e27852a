/** One figure over several repetitions. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const at = (n: number) => sorted[Math.floor(n)] ?? Number.NaN;
  return { median: (at(middle - 0.5) + at(middle)) / 2, min: at(0), max: at(sorted.length - 1) };
}

/** The percentile `p` (0 to 1), by nearest rank. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)] ?? Number.NaN;
}

/** Such as `1.52 (1.48-1.60)`. */
export const shown = ({ median, min, max }: Spread, digits = 2) =>
  `${median.toFixed(digits)} (${min.toFixed(digits)}-${max.toFixed(digits)})`;
