import { prepareLocal } from './local.ts';

await prepareLocal();
await import('../../src/node.ts');
