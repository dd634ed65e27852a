// Builds the participants' page into public/p, for every runtime: the page, its service worker and its manifest. Wrangler
// runs it before it bundles (`[build]` in wrangler.toml).
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bellIcon } from './bell-icon.mjs';
import { bundlePage, options, preloads, root } from './bundle-page.mjs';
import { writeIfNew } from './write-whole.mjs';

const source = join(root, 'participant');
const target = join(root, 'public/p');

const hashOf = (contents) => createHash('sha256').update(contents).digest('hex').slice(0, 8).toUpperCase();
const hashed = (name, ending, contents) => ({ name: `${name}-${hashOf(contents)}.${ending}`, contents });
const addressOf = ({ name }) => `/p/assets/${name}`;

const icons = [192, 512].map((size) => ({ size, file: hashed(`icon-${size}`, 'png', bellIcon(size, 1.3)) }));
// Phones cut this one to a shape of their own, and leave the middle.
const maskable = hashed('icon-maskable', 'png', bellIcon(512));
const touch = hashed('icon-touch', 'png', bellIcon(180, 1.2));

const manifest = hashed(
  'app',
  'webmanifest',
  JSON.stringify({
    name: 'Fieldbell',
    short_name: 'Fieldbell',
    id: '/p/',
    start_url: '/p/',
    scope: '/p/',
    display: 'standalone',
    background_color: '#f3f4f8',
    theme_color: '#3f51d6',
    icons: [
      ...icons.map(({ size, file }) => ({
        src: addressOf(file),
        sizes: `${size}x${size}`,
        type: 'image/png',
      })),
      { src: addressOf(maskable), sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  }),
);

const { outputOf, addresses } = await bundlePage({
  source,
  target,
  entries: ['main.tsx', 'main.css', 'bell.svg'],
  extra: [...icons.map(({ file }) => file), maskable, touch, manifest],
});
const main = outputOf('main.tsx');
const page = readFileSync(join(source, 'index.html'), 'utf8')
  .replace('%main.js%', main.address)
  .replace('%main.css%', outputOf('main.css').address)
  .replace('%bell.svg%', outputOf('bell.svg').address)
  .replace('%touch.png%', addressOf(touch))
  .replace('%manifest%', addressOf(manifest))
  .replace('%preloads%', preloads(main));

// It keeps the files of one build, and the page that names them: a changed file makes another worker.
const { outputFiles } = await build({
  ...options,
  entryPoints: [join(source, 'worker.ts')],
  outfile: join(target, 'sw.js'),
  format: 'iife',
  define: {
    'self.FILES': JSON.stringify(addresses.filter((one) => !/\.png$/.test(one)).sort()),
    'self.BUILD': JSON.stringify(hashOf(page)),
    'self.ICON': JSON.stringify(addressOf(icons[0].file)),
  },
});
writeIfNew(join(target, 'index.html'), page);
writeIfNew(join(target, 'sw.js'), outputFiles[0].text);
