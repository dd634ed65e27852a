import * as z from 'zod';
import { type ActionName, actions } from './actions.ts';

/**
 * `truncated-xml`: half an answer. `html`: a proxy's error page. `reset`: no answer. None of the three carries the call
 * out. `accepted-then-reset` does, but the caller never learns.
 */
const kinds = ['truncated-xml', 'html', 'reset', 'accepted-then-reset'] as const;

const fault = z
  .strictObject({
    /** `WebPush`: a push to a browser. */
    action: z.enum(['*', 'WebPush', ...(Object.keys(actions) as ActionName[])]),
    /** The error code to answer with, such as `Throttled`. */
    code: z.string().regex(/^\w+$/, 'expected an error code such as Throttled').nullable().default(null),
    status: z.int().min(200).max(599).nullable().default(null),
    /** How many calls it hits; null or 0: every call until it is cleared. */
    times: z
      .int()
      .min(0)
      .nullable()
      .default(1)
      .transform((times) => times || null),
    delayMs: z.int().min(0).max(600_000).default(0),
    kind: z.enum(kinds).nullable().default(null),
    /** Hits only this device. */
    token: z.string().min(1).nullable().default(null),
    endpointArn: z.string().min(1).nullable().default(null),
    /** The header of that name in the answer to a push to a browser: seconds, or a date. */
    retryAfter: z.coerce.string().max(100).nullable().default(null),
    /** More headers of the answer to a push to a browser. */
    headers: z.record(z.string().regex(/^[\w-]{1,100}$/), z.string().max(200)).optional(),
    /** The body of that answer, such as `{"reason":"BadJwtToken"}`. */
    body: z.string().max(1000).optional(),
  })
  .refine(
    ({ action, code, kind, delayMs, status }) =>
      code || kind || delayMs || (action === 'WebPush' && status !== null),
    'expected a code, a kind or a delayMs',
  );

/** The body of `POST /faults`: one fault or an array of them. */
export const faultsBody = z.preprocess((body) => [body].flat(), z.array(fault).min(1));

export type Fault = z.output<typeof fault>;

/** The device that a call is about. */
export interface Device {
  token: string | undefined;
  endpointArn: string | undefined;
}

/** Removes one use of the first fault that hits this call from `pending`, and returns the fault. */
export function takeFault(pending: Fault[], action: string, device: Device): Fault | undefined {
  const next = pending.find(
    (fault) =>
      (fault.action === '*' || fault.action === action) &&
      (fault.token === null || fault.token === device.token) &&
      (fault.endpointArn === null || fault.endpointArn === device.endpointArn),
  );
  if (next?.times && --next.times === 0) pending.splice(pending.indexOf(next), 1);
  return next;
}
