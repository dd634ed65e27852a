import { registerHooks } from 'node:module';
import { type Mutant, plant } from '../support/planted-fault.ts';

/* Loaded before the program: one of its files has the deliberate fault that `FAULT` names, in JSON. */
const fault = JSON.parse(process.env.FAULT ?? '') as Mutant;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith(`/${fault.file}`) || !loaded.source) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString();
    return { ...loaded, source: plant(fault, source) };
  },
});
