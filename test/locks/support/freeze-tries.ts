import type { LockedWorld } from '../../support/worker/locked-worlds.ts';

const one = (identifier: string) => [{ identifier }];

/** Requests that an owner may make in an open study and nobody in a frozen one, in an order in which each succeeds. */
export const freezeTries: Record<string, (world: LockedWorld) => [path: string, body: unknown]> = {
  'POST /investigation/:id/case': ({ study }) => [`/investigation/${study.id}/case`, { label: 'New' }],
  'PATCH /case/:id': ({ openCase }) => [`/case/${openCase}`, { label: 'Renamed' }],
  'POST /survey/:id/response': ({ study, openCase }) => [
    `/survey/${study.survey}/response`,
    { case: openCase, items: { q1: 'new' } },
  ],
  'PATCH /response/:id': ({ openResponse }) => [`/response/${openResponse}`, { items: { q1: 'changed' } }],
  'POST /investigation/:id/survey': ({ study }) => [
    `/investigation/${study.id}/survey`,
    { name: 'Mood', items: [] },
  ],
  'PATCH /survey/:id': ({ study }) => [`/survey/${study.survey}`, { name: 'Renamed' }],
  'POST /investigation/:id/archive-items': ({ study, openCase }) => [
    `/investigation/${study.id}/archive-items`,
    { cases: one(openCase), status: 'archived' },
  ],
  'POST /investigation/:id/delete-items': ({ study, openResponse }) => [
    `/investigation/${study.id}/delete-items`,
    { responses: one(openResponse), status: 'deleted' },
  ],
  'POST /investigation/:id/lock-items': ({ study, lockedCase }) => [
    `/investigation/${study.id}/lock-items`,
    { cases: one(lockedCase), status: 'unlocked' },
  ],
  'POST /investigation/:id/lock-matching': ({ study }) => [
    `/investigation/${study.id}/lock-matching`,
    { status: 'unlocked', filter: {} },
  ],
};
