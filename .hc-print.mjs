import { chromium } from 'playwright-core'; import { readFileSync } from 'node:fs';
const token = readFileSync('/tmp/hc-state/owner.header','utf8').replace(/.*Bearer /s,'').trim();
const b=await chromium.launch({executablePath:'/usr/bin/chromium-headless-shell',args:['--no-sandbox']});
const c=await b.newContext({viewport:{width:760,height:1075},colorScheme:'dark',timezoneId:'Europe/Paris',locale:'en-GB'}); const p=await c.newPage(); p.setDefaultTimeout(15000);
p.on('pageerror',e=>console.log('ERR',e.message));
const D='http://127.0.0.1:18790/console/studies/01a0f37120bb7750b747fb1faa5ddb11';
await p.goto('http://127.0.0.1:18790/console#token='+token); await p.getByRole('heading',{level:1}).waitFor();
await p.addInitScript('window.print=()=>{window.printed=true}');
for(const [n,path,act] of [['map','/adherence','print'],['person','/participants',"open"],['activity','/activity'],['resp','/data','open2']]){
 await p.emulateMedia({media:'screen'}); await p.goto(D+path); await p.getByRole('heading',{level:1}).waitFor(); await p.locator('body:not(:has(.loading))').waitFor(); await p.waitForTimeout(500);
 if(act==='print'){await p.getByRole('button',{name:'Print'}).click(); await p.waitForFunction('window.printed');}
 if(act==='open'){await p.locator('tbody a').nth(2).click(); await p.waitForTimeout(1000);} if(act==='open2'){await p.locator('tbody a').first().click(); await p.waitForTimeout(1000);}
 await p.emulateMedia({media:'print'}); await p.waitForTimeout(200); await p.screenshot({path:`/tmp/shots/print-${n}.png`});
}
await b.close();
