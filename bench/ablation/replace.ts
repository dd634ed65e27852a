import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { variantNamed } from './variants.ts';

/* Preloaded into Fieldbell: replaces the module of the variant that `ABLATION` names by its alternative. */
const { module, alternative } = variantNamed(process.env.ABLATION ?? '');
// Otherwise a module that has moved would look like an optimisation without effect.
if (!existsSync(fileURLToPath(module))) throw new Error(`${module} does not exist`);

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    // An alternative imports the rest from the module itself.
    const isReplaced = resolved.url === module && context.parentURL !== alternative;
    return isReplaced ? next(alternative, context) : resolved;
  },
});
