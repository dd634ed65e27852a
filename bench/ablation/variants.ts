/** A part to switch off: a module of src/, and an alternative with the same exports. URLs. */
export interface Variant {
  name: string;
  what: string;
  module: string;
  alternative: string;
}

const sourceOf: Record<string, [what: string, module: string]> = {
  'push-thread': ['thread for pushes → main thread', 'platform/server/push-thread.ts'],
  'sns-signer': ['own signer → aws4fetch', 'platform/server/sns-post.ts'],
  undici: ['undici → fetch', 'platform/server/sns-post.ts'],
};

export const variants = Object.entries(sourceOf).map(
  ([name, [what, module]]): Variant => ({
    name,
    what,
    module: new URL(`../../src/${module}`, import.meta.url).href,
    alternative: new URL(`alternatives/${name}.ts`, import.meta.url).href,
  }),
);

export function variantNamed(name: string): Variant {
  const variant = variants.find((one) => one.name === name);
  if (!variant) throw new Error(`Unknown variant '${name}': expected ${Object.keys(sourceOf).join(', ')}`);
  return variant;
}
