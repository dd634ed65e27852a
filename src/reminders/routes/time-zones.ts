import { Hono } from 'hono';
import * as z from 'zod';
import { resolveUser } from '../../http/auth/require-self.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { iso } from '../../http/fields.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { at, uri, zone } from '../../http/openapi/shapes.ts';
import { maxZones } from '../effective-zone.ts';
import { listTimeZones } from '../time-zones.ts';

const pastZone = z.strictObject({
  timeZone: zone,
  since: at.meta({ description: 'The zone holds until the `since` of the entry before, which is newer.' }),
  from: z
    .enum(['device', 'user', 'study'])
    .meta({ description: 'The phone whose zone changed last, else the user, else the study.' }),
});
const zoneList = z
  .strictObject({ user: uri('/user'), timeZones: z.array(pastZone) })
  .meta({ id: 'TimeZones' });

const { responder } = examples;

export const timeZones = new Hono<Env>().get(
  '/user/:id/time-zones',
  documented({
    id: 'listTimeZones',
    tag: 'Reminders',
    summary: 'Lists the zones that reminders of a user went by',
    description: `The last ${maxZones}. For the user, and for owners, editors and monitors of a study that the user is a member of.`,
    answers: {
      200: json('Newest first.', zoneList, {
        user: `/user/${responder.identifier}`,
        timeZones: [
          { timeZone: 'Asia/Tokyo', since: '2027-03-02T07:15:00.000Z', from: 'device' },
          { timeZone: 'Europe/Paris', since: '2027-03-01T08:00:00.000Z', from: 'user' },
        ],
      }),
    },
    problems: ['resource.not-found'],
  }),
  async (c) => {
    const context = contextOf(c);
    const user = resolveUser(c.req.param('id'), context.actor);
    const found = await listTimeZones(context, user);
    const list: z.input<typeof zoneList> = {
      user: `/user/${user}`,
      timeZones: found.map((one) => ({ ...one, since: iso(one.since) })),
    };
    return c.json(list);
  },
);
