import type { Phone } from '../phones.ts';
import { lock, newCase, newResponse, type Study } from '../studies.ts';
import { newSetAside } from './set-asides.ts';
import { newPhone, sleepStudy } from './world.ts';

export const roles = ['owner', 'editor', 'responder'] as const;

export interface LockedWorld {
  study: Study;
  /** Locked: a case of the responder's, and their responses to it and to the open one. */
  lockedCase: string;
  lockedResponse: string;
  responseInLockedCase: string;
  /** An archived case that is locked as well. */
  archivedCase: string;
  /** Unlocked: a case, and a response of the responder's in the locked case. */
  openCase: string;
  openResponse: string;
  /** An answer that is set aside. */
  setAside: string;
  phone: Phone;
  isLocked: (row: { id?: string; response_id?: string }) => boolean;
}

/** A study in which the responder's own case and responses are locked, so that each role might edit them. */
export async function lockedWorld(): Promise<LockedWorld> {
  const study = await sleepStudy();
  const { owner, responder } = study;
  const lockedCase = await newCase(study, responder, 'Locked');
  const archivedCase = await newCase(study, responder, 'Archived and locked');
  const openCase = await newCase(study, responder, 'Open');
  const lockedResponse = await newResponse(study, responder, openCase);
  const responseInLockedCase = await newResponse(study, responder, lockedCase);
  const openResponse = await newResponse(study, responder, lockedCase);
  const setAside = await newSetAside(study);
  const archived = await owner.post(`/investigation/${study.id}/archive-items`, {
    cases: [{ identifier: archivedCase }],
    status: 'archived',
  });
  const locked = await lock(owner, study, {
    cases: [lockedCase, archivedCase],
    responses: [lockedResponse, responseInLockedCase],
  });
  if (archived.status !== 204 || locked.status !== 204) throw new Error(`${archived.text} ${locked.text}`);
  const ids = new Set([lockedCase, archivedCase, lockedResponse, responseInLockedCase]);
  return {
    study,
    lockedCase,
    lockedResponse,
    responseInLockedCase,
    archivedCase,
    openCase,
    openResponse,
    setAside,
    phone: await newPhone(responder),
    isLocked: (row) => ids.has(row.response_id ?? row.id ?? ''),
  };
}
