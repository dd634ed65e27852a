import { selectRow } from '../db/select-row.ts';
import { Problem } from '../errors.ts';
import { initialState } from '../locks/item-states.ts';
import { archived, locked } from '../permissions/edit-guards.ts';
import { rowBytes } from '../permissions/limits.ts';
import { type Content, contentBytes } from './response-content.ts';
import { responses } from './schema.ts';

/* New responses: those that a person gives, and those made of answers that were set aside. */

/** Bytes of a new response, which is stored twice: its row and its first revision. */
export const newBytes = (given: Content) => 2 * (rowBytes + contentBytes(given));

interface NewRow extends Content {
  id: string;
  investigation: string;
  survey: string;
  case: string;
  responder: string;
  /** Instants are epoch ms. Null: when it was received. */
  givenAt: number | null;
  receivedAt: number;
  notification: string | null;
  occurrence: string | null;
  late: boolean | null;
  outdated: boolean;
  revision: string;
  now: number;
}

/** The `select` of a response's row. */
export const newRow = ({ id, investigation, survey, responder, revision, now, ...given }: NewRow) =>
  selectRow(responses, {
    id,
    investigationId: investigation,
    surveyId: survey,
    caseId: given.case,
    responderId: responder,
    items: given.items,
    reasons: given.reasons,
    givenAt: given.givenAt,
    notification: given.notification,
    occurrence: given.occurrence,
    late: given.late,
    outdated: given.outdated,
    revisedAt: now,
    storedBytes: newBytes(given),
    changedBytes: 0,
    createdAt: given.receivedAt,
    revisionId: revision,
    ...initialState,
  });

interface AskedCase {
  /** Null: there is none that the actor may answer for. */
  caseId: string | null;
  caseLockedAt: number | null;
  caseArchivedAt: number | null;
}

/** @throws items.not-found, item.locked, item.archived */
export function requireOpenCase({ caseId, caseLockedAt, caseArchivedAt }: AskedCase): void {
  if (!caseId)
    throw new Problem('items.not-found', 'There is no such case in this study, or you may not see it.', {
      errors: [{ pointer: '/case', detail: 'Expected the identifier of a case of this study.' }],
    });
  if (caseLockedAt !== null)
    throw locked('/case', 'The case is locked and takes no new response: unlock it first.');
  if (caseArchivedAt !== null)
    throw archived('/case', 'The case is archived and takes no new response: bring it back first.');
}
