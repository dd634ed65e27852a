import { bullmq } from './bullmq/system.ts';
import { local } from './fieldbell/local.ts';
import { workerd } from './fieldbell/workerd.ts';
import { pgBoss } from './pg-boss/system.ts';
import type { System } from './system.ts';

const systems: readonly System[] = [local('node'), local('deno'), workerd, bullmq, pgBoss];

/** The systems of these names, in the order of the table. @throws on a name that is not one */
export function systemsNamed(names: readonly string[] = systems.map(({ name }) => name)): System[] {
  const unknown = names.find((name) => !systems.some((system) => system.name === name));
  if (unknown !== undefined)
    throw new Error(`Unknown system '${unknown}': expected ${systems.map(({ name }) => name).join(', ')}`);
  return systems.filter(({ name }) => names.includes(name));
}
