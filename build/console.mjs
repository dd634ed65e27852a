// Builds the study console into public/console, for every runtime. Wrangler runs it before it bundles (`[build]` in
// wrangler.toml).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundlePage, preloads, root } from './bundle-page.mjs';
import { writeIfNew } from './write-whole.mjs';

const source = join(root, 'console');
const target = join(root, 'public/console');

const { outputOf } = await bundlePage({ source, target, entries: ['main.tsx', 'main.css', 'bell.svg'] });
const main = outputOf('main.tsx');
const page = readFileSync(join(source, 'index.html'), 'utf8')
  .replace('%main.js%', main.address)
  .replace('%main.css%', outputOf('main.css').address)
  .replace('%bell.svg%', outputOf('bell.svg').address)
  .replace('%preloads%', preloads(main));
writeIfNew(join(target, 'index.html'), page);
