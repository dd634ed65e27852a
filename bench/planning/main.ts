import { shown } from '../support/statistics.ts';
import { measurePlanning } from './measure.ts';

/*
 * How fast, and how right, next occurrences are computed: `node bench/planning/main.ts [users] [repetitions]`. "survey":
 * users of a zone share their survey's time; "own": everybody has their own.
 */
const [users = '100000', repetitions = '3'] = process.argv.slice(2);

const { timings, differences, zones } = measurePlanning({
  users: Number(users),
  repetitions: Number(repetitions),
});
console.log(`${users} users in ${zones} zones, median (least-most) of ${repetitions} runs:`);
console.table(
  Object.fromEntries(
    timings.map(({ distribution, planner, ms, usersPerSecond, toFieldbell, otherAnswers }) => [
      `${distribution}: ${planner}`,
      {
        ms: shown(ms, 0),
        'users/s': Math.round(usersPerSecond),
        'times fieldbell': shown(toFieldbell),
        'other answers': otherAnswers,
      },
    ]),
  ),
);
console.log(
  `Around changes of the clocks, ${differences.cases} cases in ${differences.zones} zones, wrong are:`,
);
console.table(differences.counts);
console.log('Some of them, each of a daily reminder:');
for (const { contestant, fault, zone, wallTime, from, on, expected, answered } of differences.examples)
  console.log(
    `  ${zone} ${wallTime}, asked at ${from}: on ${on} RFC 5545 and Temporal say ${expected}; ` +
      `${contestant} says ${answered} (${fault})`,
  );
