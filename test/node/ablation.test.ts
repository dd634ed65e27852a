import { expect, test } from 'vitest';
import { variants } from '../../bench/ablation/variants.ts';

// Otherwise a module that has moved, or has another export, would fail only when somebody measures.
test.each(variants)(
  '$what: the alternative exports what the module does',
  async ({ module, alternative }) => {
    const [own, other] = await Promise.all([import(module), import(alternative)]);
    expect(Object.keys(other).sort()).toEqual(Object.keys(own).sort());
  },
);
