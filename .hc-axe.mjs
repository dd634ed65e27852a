import { chromium } from 'playwright-core';
import { readFileSync } from 'node:fs';
const token = readFileSync('/tmp/hc-state/owner.header','utf8').replace(/.*Bearer /s,'').trim();
const base='http://127.0.0.1:18790';const D='/console/studies/01a0f37120bb7750b747fb1faa5ddb11';
const axe=readFileSync('node_modules/axe-core/axe.min.js','utf8');
const b=await chromium.launch({executablePath:'/usr/bin/chromium-headless-shell',args:['--no-sandbox']});
const c=await b.newContext({timezoneId:'Europe/Paris',locale:'en-GB'}); const p=await c.newPage(); p.setDefaultTimeout(8000);
await p.goto(base+'/console#token='+token); await p.getByRole('heading',{level:1}).waitFor();
const check=async(n)=>{ if(await p.evaluate('!window.axe')) await p.evaluate(axe); for(const s of ['light','dark']){await p.emulateMedia({colorScheme:s,reducedMotion:'reduce'}); const {violations}=await p.evaluate('axe.run({resultTypes:["violations"]})'); console.log(n,s,violations.map(v=>v.id+': '+v.nodes.map(x=>x.html.slice(0,160)).slice(0,3).join(' | ')));} };
const steps=process.argv.slice(2);
for(const s of steps){ const [path,act]=s.split('@@'); await p.goto(base+(path.startsWith('/console')?path:D+path)); await p.getByRole('heading',{level:1}).waitFor(); await p.locator('body:not(:has(.loading))').waitFor(); await p.waitForTimeout(300); if(act){try{await new Function('p','return (async()=>{'+act+'})()')(p);}catch(e){console.log(e.message.slice(0,300))} await p.waitForTimeout(300);} await check(s.slice(0,60)); }
await b.close();
