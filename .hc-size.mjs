import { chromium } from 'playwright-core'; import { readFileSync } from 'node:fs'; import { gzipSync } from 'node:zlib';
const token = readFileSync('/tmp/hc-state/owner.header','utf8').replace(/.*Bearer /s,'').trim();
const b=await chromium.launch({executablePath:'/usr/bin/chromium-headless-shell',args:['--no-sandbox']});
const p=await b.newPage(); const files=new Set(); p.on('response',r=>{const {pathname}=new URL(r.url()); if(pathname.startsWith('/console/assets/'))files.add(pathname)});
await p.goto('http://127.0.0.1:18790/console/studies/01a0f37120bb7750b747fb1faa5ddb11#token='+token); await p.getByRole('heading',{level:1}).waitFor(); await p.locator('body:not(:has(.loading))').waitFor();
let t=0; for(const f of files){const n=gzipSync(readFileSync('public'+f)).length; t+=n; console.log(n,f)} console.log(files.size,t); await b.close();
