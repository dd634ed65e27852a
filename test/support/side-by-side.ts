import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those that take longest first. They mostly wait, for a minute of the wall clock, or for processes that start and die. */
const early = [
  'test/conformance/restart.slow.test.ts',
  'test/conformance/clock.slow.test.ts',
  'test/conformance/zones.slow.test.ts',
  'test/conformance/reminders.slow.test.ts',
  'test/tools/start-restart.node.slow.test.ts',
  'test/crash/kill.slow.test.ts',
  'test/crash/full-disk.slow.test.ts',
];
/** How many of them begin beside the first ones that compute, and how many of those come before the next. */
const atOnce = 2;
const between = 5;

/**
 * Vitest begins with the longest of a project, and one project after the other, so that all that wait would wait together,
 * and the last ones compute alone. Here they are dealt over the files that compute; the many short ones in a browser come
 * last, so that the workers end together.
 */
export default class SideBySide extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specs);
    const order = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const groups = Map.groupBy(sorted, order);
    return [...groups.values()].flatMap((group) => this.#deal(group));
  }

  #deal(group: TestSpecification[]): TestSpecification[] {
    const place = ({ moduleId }: TestSpecification) =>
      early.indexOf(relative(this.ctx.config.root, moduleId).replaceAll('\\', '/'));
    const isBrowsing = ({ project }: TestSpecification) => project.name.startsWith('console');
    const wait = group.filter((spec) => place(spec) >= 0).toSorted((a, b) => place(a) - place(b));
    const compute = group
      .filter((spec) => place(spec) < 0)
      .toSorted((a, b) => Number(isBrowsing(a)) - Number(isBrowsing(b)));
    const dealt = wait.splice(0, atOnce);
    for (const [n, spec] of compute.entries()) {
      if (n > 0 && n % between === 0) dealt.push(...wait.splice(0, 1));
      dealt.push(spec);
    }
    return [...dealt, ...wait];
  }
}
