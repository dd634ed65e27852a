import { beyondChance, guessed, type Labelled, learnt } from './arm-features.ts';
import { type Leak, readArmStudy } from './arm-study.ts';
import { seeded } from './determinism.ts';

/** How likely a service without a leak seems to have one. */
export const mistaken = 1e-4;

/** The share of the studies that are learnt from. */
const learntShare = 0.6;

export interface Distinguished {
  /** The feature of which most was learnt, in words. */
  feature: string;
  right: number;
  of: number;
  /** So many right guesses are more than chance. */
  bound: number;
  told: boolean;
}

/**
 * Learns on most of some random studies which single thing that a blinded editor reads tells arms best, and guesses the arms of the
 * others by it. `told`: more of them than by chance.
 */
export async function distinguish(
  { first, studies }: { first: number; studies: number },
  leak?: Leak,
): Promise<Distinguished> {
  const all: Labelled[] = [];
  for (let seed = first; seed < first + studies; seed++) all.push(await readArmStudy(seed, leak));
  const half = Math.ceil(learntShare * studies);
  const rule = learnt(all.slice(0, half));
  const random = seeded(first);
  const { right, of } = guessed(all.slice(half), rule, () => random() < 0.5);
  const bound = beyondChance(of, mistaken);
  return {
    feature: `${rule.more ? 'more' : 'less'} of ${rule.feature}`,
    right,
    of,
    bound,
    told: right >= bound,
  };
}
