import { local } from './fieldbell/local.ts';
import { floor } from './floor/system.ts';
import type { System } from './system.ts';

const loaders: Record<string, () => Promise<System>> = {
  node: async () => local('node'),
  deno: async () => local('deno'),
  floor: async () => floor,
  bullmq: async () => (await import('./bullmq/system.ts')).bullmq,
};

/** The named systems in the order of the table; all by default. @throws on an unknown name */
export function loadSystems(names: readonly string[] = Object.keys(loaders)): Promise<System[]> {
  const unknown = names.find((name) => !(name in loaders));
  if (unknown !== undefined)
    throw new Error(`Unknown system '${unknown}': expected ${Object.keys(loaders).join(', ')}`);
  const chosen = Object.entries(loaders).filter(([name]) => names.includes(name));
  return Promise.all(chosen.map(([name, load]) => load().catch((error) => notInstalled(name, error))));
}

/** A system whose packages are missing. */
function notInstalled(name: string, error: NodeJS.ErrnoException): System {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  const reason = 'its packages are not installed (npm ci --prefix bench)';
  return { name, what: '', missing: () => reason, open: () => Promise.reject(new Error(reason)) };
}
