import { chromium } from 'playwright-core'; import { readFileSync } from 'node:fs';
const token = readFileSync('/tmp/hc-state/owner.header','utf8').replace(/.*Bearer /s,'').trim();
const b=await chromium.launch({executablePath:'/usr/bin/chromium-headless-shell',args:['--no-sandbox']});
const p=await (await b.newContext({locale:'en-GB',viewport:{width:1280,height:800}})).newPage(); p.setDefaultTimeout(30000);
const D='http://127.0.0.1:18790/console/studies/01a0f37120bb7750b747fb1faa5ddb11';
await p.goto('http://127.0.0.1:18790/console#token='+token); await p.getByRole('heading',{level:1}).waitFor();
await p.goto(D+'/members'); await p.getByRole('heading',{level:1}).waitFor(); await p.mouse.move(5,5); await p.waitForTimeout(1500);
const s=await p.context().newCDPSession(p); 
await s.send('Profiler.enable'); await s.send('Profiler.start'); await s.send('Emulation.setCPUThrottlingRate',{rate:4});
await p.evaluate(`document.querySelector('nav a[href$="/adherence"]').click()`); await p.locator('.map-cell').first().waitFor(); await p.waitForTimeout(1500);
const {profile}=await s.send('Profiler.stop'); const self=new Map(); const dt=profile.timeDeltas; profile.samples.forEach((id,i)=>self.set(id,(self.get(id)??0)+dt[i]));
const by=new Map(); for(const n of profile.nodes){const k=n.callFrame.functionName+' '+n.callFrame.url.split('/').pop()+':'+n.callFrame.columnNumber; by.set(k,(by.get(k)??0)+(self.get(n.id)??0));}
console.log([...by].sort((a,b)=>b[1]-a[1]).slice(0,14).map(([k,v])=>Math.round(v/1000)+'ms '+k).join('\n')); await b.close();
