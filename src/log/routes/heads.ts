import { Hono } from 'hono';
import * as z from 'zod';
import { Problem } from '../../errors.ts';
import type { AuditKey } from '../../http/audit-key.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { iso } from '../../http/fields.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { at, sha256, uri } from '../../http/openapi/shapes.ts';
import { readHead } from '../list.ts';

const tag = 'Activity';

const head = z
  .strictObject({
    investigation: uri('investigation'),
    position: z.int().meta({ description: 'The position of the newest entry; 0 without entries.' }),
    hash: sha256,
    at: at.meta({ description: 'When the head was signed.' }),
    jws: z.string().meta({
      description:
        'A compact JWS (RFC 7515) whose payload is the JSON of the four other fields, signed with the key at `/.well-known/jwks.json`.',
    }),
  })
  .meta({ id: 'Head' });

const publicKey = z.object({
  kty: z.string(),
  crv: z.string(),
  x: z.string(),
  kid: z.string(),
  alg: z.string(),
  use: z.string(),
});
const keySet = z.strictObject({ keys: z.array(publicKey) }).meta({ id: 'KeySet' });

/** The public halves of the keys that sign heads, and tokens of participants. Anyone may read them. */
export const createKeySetRoute = (signers: (Pick<AuditKey, 'publicKeys'> | undefined)[]) =>
  new Hono<Env>().get(
    '/.well-known/jwks.json',
    documented({
      id: 'readKeySet',
      tag,
      summary: 'The keys that sign the heads of activity logs, and tokens of participants',
      access: 'open',
      answers: {
        200: json('A key set (RFC 7517); empty when nothing is signed.', keySet, {
          keys: [
            {
              kty: 'OKP',
              crv: 'Ed25519',
              x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
              kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
              alg: 'EdDSA',
              use: 'sig',
            },
          ],
        }),
      },
    }),
    async (c) => {
      const keys = (await Promise.all(signers.map((signer) => signer?.publicKeys() ?? []))).flat();
      return c.json({ keys } as z.input<typeof keySet>);
    },
  );

export const createHeads = (key: AuditKey | undefined) =>
  new Hono<Env>().get(
    '/investigation/:id/activity/head',
    documented({
      id: 'readHead',
      tag,
      summary: 'Signs the head of the activity log',
      description:
        'A signed head that is kept elsewhere shows later whether entries were cut off the end of the log, or the log was rebuilt.',
      answers: {
        200: json('The position and hash of the newest entry, signed.', head, {
          investigation: `investigation/${examples.study.identifier}`,
          position: 5,
          hash: examples.hash,
          at: '2027-03-15T14:00:01.000Z',
          jws: 'eyJhbGciOiJFZERTQSIsImtpZCI6Imt...',
        }),
      },
      problems: ['resource.not-found', 'action.forbidden', 'audit.not-signed'],
    }),
    async (c) => {
      const context = contextOf(c);
      const study = c.req.param('id');
      const { position, hash } = await readHead(context, study);
      if (!key)
        throw new Problem('audit.not-signed', 'This service has no AUDIT_SIGNING_KEY, so it signs no heads.');
      const signed = { investigation: `investigation/${study}`, position, hash, at: iso(context.now) };
      return c.json({ ...signed, jws: await key.sign(signed) } satisfies z.input<typeof head>);
    },
  );
