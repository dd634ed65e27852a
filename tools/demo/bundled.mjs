import { importBundled } from '../../build/import-bundled.mjs';

/* `npm run demo`: the program `main.ts`, with the same arguments. */
await importBundled({ entryPoints: ['tools/demo/main.ts'] });
