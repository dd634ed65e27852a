import { chromium } from 'playwright-core'; import { readFileSync } from 'node:fs';
const token = readFileSync('/tmp/hc-state/owner.header','utf8').replace(/.*Bearer /s,'').trim();
const b=await chromium.launch({executablePath:'/usr/bin/chromium-headless-shell',args:['--no-sandbox']});
const p=await (await b.newContext({locale:'en-GB',viewport:{width:1280,height:800}})).newPage(); p.setDefaultTimeout(30000);
const D='http://127.0.0.1:18790/console/studies/01a0f37120bb7750b747fb1faa5ddb11';
await p.goto('http://127.0.0.1:18790/console#token='+token); await p.getByRole('heading',{level:1}).waitFor();
await p.goto(D+'/members'); await p.getByRole('heading',{level:1}).waitFor(); await p.mouse.move(5,5); await p.waitForTimeout(1500);
const s=await p.context().newCDPSession(p); await s.send('Emulation.setCPUThrottlingRate',{rate:4});
await p.evaluate(`window.tasks=[]; new PerformanceObserver(l=>tasks.push(...l.getEntries().map(e=>Math.round(e.duration)))).observe({type:'longtask'})`);
const rep=async(n,f)=>{await p.evaluate('tasks.length=0'); await f(); await p.waitForTimeout(500); console.log(n, await p.evaluate('JSON.stringify(tasks)'));};
const has=(sel)=>p.locator(sel).first().waitFor();
await rep('overview',async()=>{await p.evaluate(`document.querySelector('nav a[href$="/overview"]').click()`); await has('.plot canvas'); await p.waitForTimeout(1500)});
await rep('participants',async()=>{await p.evaluate(`document.querySelector('nav a[href$="/participants"]').click()`); await has('.participants tbody tr'); await p.waitForTimeout(1500)});
await rep('adherence',async()=>{await p.evaluate(`document.querySelector('nav a[href$="/adherence"]').click()`); await has('.map-cell'); await p.waitForTimeout(1500)});
await rep('year',async()=>{await p.evaluate(`(()=>{const e=document.querySelector('.filters select');e.value='366';e.dispatchEvent(new Event('change',{bubbles:true}))})()`); await has('.map[aria-colcount="367"]'); await p.waitForTimeout(1500)});
await rep('hscroll',async()=>{for(let i=0;i<20;i++){await p.evaluate(`document.querySelector('.map-frame').scrollBy(-180,0)`); await p.waitForTimeout(60);} });

await b.close();
