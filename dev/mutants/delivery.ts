import type { Mutant } from './mutant.ts';

export const delivery: readonly Mutant[] = [
  {
    fault: 'deliveries of one user overlap',
    file: 'src/platform/cloudflare/user-alarm.ts',
    find: 'this.#last.then(() => this.#deliverAndArm(user))',
    replace: 'this.#deliverAndArm(user)',
    tests: ['test/routes/deliveries-serial.test.ts'],
  },
  {
    fault: 'a queue message is acknowledged before its work',
    file: 'src/worker.ts',
    find: `        await handle(services, message.body);
        message.ack();`,
    replace: `        message.ack();
        await handle(services, message.body);`,
    tests: ['test/routes/queue.test.ts'],
  },
  {
    fault: 'superseded rows stay pending',
    file: 'src/jobs/deliver.ts',
    find: '  await finishSuperseded(context, user);\n',
    replace: '',
    tests: ['test/routes/deliveries-serial.test.ts'],
  },
];
