import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

/* Preloaded into a server: SIGUSR2 begins a CPU profile, and the next one ends it, beside the database. */
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: 100 });
let before: NodeJS.CpuUsage | undefined;
process.on('SIGUSR2', () => {
  if (!before) {
    session.post('Profiler.start');
    before = process.threadCpuUsage();
    return;
  }
  const { user, system } = process.threadCpuUsage(before);
  session.post('Profiler.stop', (_, { profile }) => {
    const file = `${process.env.FIELDBELL_DB}.cpuprofile`;
    writeFileSync(file, JSON.stringify(profile));
    console.log(JSON.stringify({ event: 'profiled', cpuMicros: user + system, file }));
  });
});
