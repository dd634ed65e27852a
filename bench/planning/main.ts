import { shown } from '../support/statistics.ts';
import { measurePlanning } from './measure.ts';
import { distributions } from './users.ts';

/*
 * How fast, and how right, next occurrences are computed: `node bench/planning/main.ts [users] [repetitions]`.
 */
const [users = '100000', repetitions = '3'] = process.argv.slice(2);

const { timings, differences, zones } = measurePlanning({
  users: Number(users),
  repetitions: Number(repetitions),
});
console.log(`The next occurrence of each of ${users} users in ${zones} zones, by one process that knows the zones.

survey: users of a zone share their survey's time, so that a peer with a memo computes each time of a zone once.
own: everybody has a time of their own, so that nothing repeats and a memo helps nobody.
Fieldbell has no memo. Of a peer that planned only some of the users, chosen evenly, the time for all is in proportion.

Median (least-most) of ${repetitions} repetitions, "times fieldbell" within each:`);
console.table(
  Object.fromEntries(
    timings.map(({ distribution, planner, planned, ms, usersPerSecond, toFieldbell, otherAnswers }) => [
      `${distribution}: ${planner}`,
      {
        planned,
        'ms for all': shown(ms, ms.median < 100 ? 1 : 0),
        'users/s': Math.round(usersPerSecond),
        'times fieldbell': shown(toFieldbell, 1),
        'other answers': otherAnswers,
      },
    ]),
  ),
);
for (const distribution of distributions) {
  const peers = timings.filter((one) => one.distribution === distribution && one.planner !== 'fieldbell');
  const [fastest] = peers.toSorted((a, b) => a.toFieldbell.median - b.toFieldbell.median);
  if (fastest)
    console.log(
      `${distribution}: the fastest peer, ${fastest.planner}, takes ${shown(fastest.toFieldbell, 1)} times as long as Fieldbell.`,
    );
}
console.log(
  `\nAround changes of the clocks, ${differences.cases} cases in ${differences.zones} zones, wrong are:`,
);
console.table(differences.counts);
console.log('Some of them, each of a daily reminder:');
for (const { contestant, fault, zone, wallTime, from, on, expected, answered } of differences.examples)
  console.log(
    `  ${zone} ${wallTime}, asked at ${from}: on ${on} RFC 5545 and Temporal say ${expected}; ` +
      `${contestant} says ${answered} (${fault})`,
  );
