import * as z from 'zod';
import { avatarPath, groupState, type ItemState, iso, lockState, unixSeconds } from '../http/fields.ts';
import { examples } from '../http/openapi/examples.ts';
import * as shapes from '../http/openapi/shapes.ts';
import { nobody } from '../permissions/shown-people.ts';
import type { Case } from './cases.ts';

/** A case, in lists and alone. */
export const caseBody = z
  .strictObject({
    identifier: shapes.id,
    uri: shapes.uri('case'),
    creation: shapes.at,
    label: z.string(),
    hidden: z.boolean(),
    revisionIdentifier: shapes.id,
    editedAt: shapes.unix,
    creatorIdentifier: shapes.id.meta({
      description: `Responders see themselves, owners and editors here, and ${nobody} for anybody else.`,
    }),
    creatorNames: z.string().meta({ description: 'Empty if the caller does not see the creator.' }),
    creatorAvatar: shapes.avatar,
    properties: shapes.properties,
    ...shapes.lockState,
  })
  .meta({ id: 'Case', ...shapes.lockRule });
export type ListedCase = z.input<typeof caseBody>;

export const caseExample: ListedCase = {
  identifier: examples.case.identifier,
  uri: `case/${examples.case.identifier}`,
  creation: '2027-03-02T06:55:00.000Z',
  label: examples.case.label,
  hidden: false,
  revisionIdentifier: '01a4050555a07f459012c7c4951810ae',
  editedAt: 1803970500,
  creatorIdentifier: examples.responder.identifier,
  creatorNames: examples.responder.name,
  creatorAvatar: avatarPath(examples.responder.identifier),
  status: 'active',
};
type ShownCase = Omit<Case, 'creatorNamedAt' | 'stateRevision'> & ItemState;

export const toCase = (row: ShownCase): ListedCase => ({
  identifier: row.id,
  uri: `case/${row.id}`,
  creation: iso(row.createdAt),
  label: row.label,
  hidden: row.hidden,
  revisionIdentifier: row.revisionId,
  editedAt: unixSeconds(row.editedAt),
  creatorIdentifier: row.creatorId,
  creatorNames: row.creatorName ?? '',
  creatorAvatar: avatarPath(row.creatorId),
  ...groupState(row),
  ...lockState(row),
});
