import * as module from 'node:module';

/*
 * Loaded before every process of Node that a test starts. For each file of drizzle-orm, Node reads that package's 180 KB
 * of exports anew to learn that it is a module: more than half of what a start of the service takes.
 */
module.registerHooks?.({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context;
    return specifier.startsWith('.') && parentURL.includes('/node_modules/drizzle-orm/')
      ? { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
      : next(specifier, context);
  },
});
