import { prepareLocal } from './start-local.ts';

await prepareLocal();
await import('../src/deno.ts');
