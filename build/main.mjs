// Makes the files that the Worker serves. Wrangler runs it before it bundles (`[build]` in wrangler.toml), on whatever Node
// runs wrangler, hence no TypeScript in this folder's scripts.
import './first-steps.mjs';
import './copy-docs.mjs';
import './document.mjs';
import './console.mjs';
import './participant.mjs';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

// `npm start` names the database, which it makes meanwhile, and which the Worker must not make.
const { FIELDBELL_START: database } = process.env;
while (database && !existsSync(database)) await sleep(50);
