// Writes the API document that the Worker serves into public/openapi.json; servers make theirs at the first request.
import { join } from 'node:path';
import { root } from './bundle-page.mjs';
import { importBundled } from './import-bundled.mjs';
import { writeIfNew } from './write-whole.mjs';

const contents = `
  import { createApp } from './src/app.ts';
  import { documentOf } from './src/http/openapi/document.ts';
  const auth = { issuer: 'none', audience: 'none', keys: { secret: '0'.repeat(32) } };
  export const document = () => documentOf(createApp({}, { auth }).routes);`;
const { document } = await importBundled({ stdin: { contents, resolveDir: root, loader: 'ts' } });
writeIfNew(join(root, 'public/openapi.json'), await document());
