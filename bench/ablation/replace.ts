import { registerHooks } from 'node:module';
import { variantNamed } from './variants.ts';

/* Preloaded into Fieldbell: replaces the module of the variant that `ABLATION` names by its alternative. */
const { module, alternative } = variantNamed(process.env.ABLATION ?? '');
let replaced = false;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    // An alternative takes what it keeps from the module itself.
    if (resolved.url !== module || context.parentURL === alternative) return resolved;
    replaced = true;
    return next(alternative, context);
  },
});

/* Otherwise a module that has moved would look like an optimisation without effect. */
setTimeout(() => {
  if (replaced) return;
  console.error(`${module} was not loaded`);
  process.exit(1);
}, 1_000).unref();
