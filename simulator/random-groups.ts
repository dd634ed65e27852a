import type { DeclaredProperty, Rule } from './oracle/groups.ts';
import { createDraws } from './random-draws.ts';
import { iso } from './random-moments.ts';
import type { ScenarioFile } from './scenario.ts';

type Event = NonNullable<ScenarioFile['events']>[number];

const sites = ['lyon', 'oslo', 'paris'] as const;
const arms = ['a', 'b'] as const;

/** Staff who look at the study and do nothing: one for each site, and one who sees all of it. */
const readers = [
  ...sites.map((site) => ({ name: `Monitor of ${site}`, role: 'monitor' as const, scope: { site: [site] } })),
  { name: 'Data manager', role: 'editor' as const },
];

/**
 * The same study at three sites and with two arms, which are blinded in half of the studies: surveys are for some people, who change
 * their groups in the middle. Its draws are its own, so that a seed gives the same study but for them.
 */
export function withGroups(seed: number, scenario: ScenarioFile): ScenarioFile {
  const draws = createDraws(seed ^ 0x6709);
  const { below, chance, one, some } = draws;
  // A blinded survey triggers no other one, nor is it triggered by one.
  const reminders = scenario.surveys.map((survey) => survey.reminders);
  const set = (scenario.events ?? []).map((event) =>
    event.does === 'edits-reminders' ? event.reminders : null,
  );
  const isTriggered = [...reminders, ...set].some((one) => one?.type === 'triggered');
  const blinded = chance(0.5) && !isTriggered;
  const properties: DeclaredProperty[] = [
    { name: 'site', values: [...sites] },
    { name: 'arm', values: [...arms], ...(blinded && { blinded: true as const }) },
  ];
  const rule = (): Rule | null =>
    one([
      () => null,
      () => ({ arm: ['b'] }),
      () => ({ arm: ['a'] }),
      () => ({ site: ['lyon', 'paris'] }),
      () => ({ arm: ['b'], site: ['lyon', 'oslo'] }),
    ])();
  const from = Date.parse(scenario.from);
  const until = Date.parse(scenario.until);
  const at = () => iso(from + 1000 + below(until - from - 2000));
  const [owner, ...others] = scenario.members.map(({ name }) => name);
  const who = owner ?? '';
  const moved = (): Event => ({
    ...{ at: at(), who, does: 'changes-properties', of: one(others) },
    properties: chance(0.75) ? { arm: chance(0.1) ? null : one(arms) } : { site: one(sites) },
  });
  const changed = (): Event => ({
    ...{ at: at(), who, does: 'changes-for', survey: one(scenario.surveys).name },
    for: rule() as Record<string, string[]> | null,
  });
  return {
    ...scenario,
    study: { ...scenario.study, properties: properties as never },
    surveys: scenario.surveys.map((survey) => ({ ...survey, for: (chance(0.7) ? rule() : null) as never })),
    members: [
      ...scenario.members.map((member) =>
        member.name === owner
          ? member
          : { ...member, properties: { site: one(sites), ...(chance(0.9) && { arm: one(arms) }) } },
      ),
      ...readers,
    ] as ScenarioFile['members'],
    events: [
      ...(scenario.events ?? []),
      ...(others.length > 0 ? some(5, moved) : []),
      ...(chance(0.3) ? [changed()] : []),
    ],
  };
}
