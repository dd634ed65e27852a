import { Hono } from 'hono';
import * as z from 'zod';
import { contextOf, type Env } from '../../http/context.ts';
import { property } from '../../http/lists/query.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import * as shapes from '../../http/openapi/shapes.ts';
import { query } from '../../http/validation.ts';
import { type AttentionCount, countAttention } from '../attention.ts';
import { attentionReasons } from '../reasons.ts';
import { shownProperties } from '../shapes.ts';

const group = z.strictObject({
  reason: z.enum(attentionReasons),
  count: z.int(),
  more: z.boolean().meta({ description: 'There may be more than `count`.' }),
  first: z.array(
    z.strictObject({
      user: shapes.id,
      name: z.string(),
      code: shapes.code,
      invitedAs: shapes.invitedAs,
      properties: shownProperties,
    }),
  ),
});
const attentionBody = z
  .strictObject({ investigation: shapes.uri('investigation'), attention: z.array(group) })
  .meta({ id: 'Attention' });

const { responder, study } = examples;

export const attention = new Hono<Env>().get(
  '/investigation/:id/compliance/attention',
  documented({
    id: 'countAttention',
    tag: 'Compliance',
    summary: 'Counts members who need attention, by reason',
    description:
      'For owners, editors and monitors. The counts are those of now, each with its first three members by identifier; `compliance?attention=` lists all of them. At most 1,000 members are counted per reason, so that the call costs the same in a study of any size.',
    answers: {
      200: json('Every reason with its count.', attentionBody, {
        investigation: `investigation/${study.identifier}`,
        attention: attentionReasons.map((reason) =>
          reason === 'silent'
            ? {
                reason,
                count: 1,
                more: false,
                first: [{ user: responder.identifier, name: responder.name }],
              }
            : { reason, count: 0, more: false, first: [] },
        ),
      }),
    },
    problems: ['resource.not-found', 'action.forbidden'],
  }),
  query(z.strictObject({ property })),
  async (c) => {
    const investigation = c.req.param('id');
    const groups = await countAttention(contextOf(c), { investigation, ...c.req.valid('query') });
    const body: z.input<typeof attentionBody> = {
      investigation: `investigation/${investigation}`,
      attention: groups.map(({ first, ...group }) => ({ ...group, first: first.map(named) })),
    };
    return c.json(body);
  },
);

const named = ({ user, name, code, invitedAs, properties }: AttentionCount['first'][number]) => ({
  user,
  name,
  ...(code !== null && { code }),
  ...(invitedAs !== null && { invitedAs }),
  ...(properties && { properties }),
});
