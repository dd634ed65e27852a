import { requestOf } from '../../../support/people.ts';
import { Random } from '../../../support/random.ts';
import { makeRequest, type Route } from '../fuzz/requests.ts';
import type * as LargeStudies from './large-study.ts';
import { filledBody, hollowBodies, longBodies, longQueries } from './long-texts.ts';
import type * as Requests from './requests.ts';
import type { Costly } from './requests.ts';
import { patienceMs, type Sender, type Sent } from './sender.ts';
import { swollenBodies } from './swollen.ts';

/** A request and what it cost, the service and others. */
export interface Cost extends Sent {
  route: string;
  what: string;
}

/** The figures of one route: its dearest request by CPU, and the one that others waited for longest. */
export interface RouteCost {
  route: string;
  requests: number;
  dearest: Cost;
  slowest: Cost;
}

export interface Measuring {
  route: Route;
  requests: Costly[];
  vocabulary: ReturnType<typeof LargeStudies.vocabularyOf>;
  /** The owner of the study. */
  token: string;
}

/** They would end the study, or hide what is in it. */
const ending = ['deleteUser', 'deleteInvestigation', 'removeMember', 'freezeStudy', 'deleteItems'];

const seed = 1;

/** All requests to a route whose cost may be out of proportion. */
export function requestsOf({ route, requests, vocabulary, token }: Measuring): Costly[] {
  const { operationId: id } = route.operation;
  const made = (what: string, call: { body?: unknown; query?: string; token?: string }): Costly => {
    const { method, path } = makeRequest(route, new Random(seed), vocabulary);
    const plain = path.split('?')[0] ?? '';
    const { body, query = '', token: by = token } = call;
    const right = route.method.toUpperCase();
    return {
      what,
      path: plain + query,
      call: {
        ...(by !== '' && { token: by }),
        method: right === 'GET' && body !== undefined ? method : right,
        ...(body !== undefined && { body }),
      },
    };
  };
  const hasBody = route.operation.requestBody !== undefined;
  const bodies = hasBody ? [...swollenBodies(route), ...longBodies(route), ...filledBody(route)] : [];
  return [
    ...requests,
    ...(ending.includes(id) ? [] : bodies.map(({ what, body }) => made(what, { body }))),
    ...(hasBody ? hollowBodies : []).flatMap(({ what, body }) => [
      made(`${what}, without an account`, { body, token: '' }),
      ...(ending.includes(id) ? [] : [made(what, { body })]),
    ]),
    ...longQueries(route).map(({ what, query }) => made(what, { query })),
  ];
}

/** Measures each, and again what looks dear: the least of its costs counts, as nothing makes it look cheaper. */
export async function measureRoute(measuring: Measuring, sender: Sender): Promise<RouteCost> {
  const found: Cost[] = [];
  const route = measuring.route.operation.operationId;
  for (const request of requestsOf(measuring)) {
    let least: Cost | undefined;
    for (let n = 0; n < 3; n++) {
      const tried = await request.before?.(n).then(
        () => true,
        () => false,
      );
      const { path, call } = request;
      const sent = await sender.send(path, requestOf(call));
      const cost = {
        route,
        what: tried === false ? `${request.what} (not prepared)` : request.what,
        ...sent,
      };
      if (!least) least = cost;
      else
        least = {
          ...least,
          cpu: Math.min(least.cpu, cost.cpu),
          ms: Math.min(least.ms, cost.ms),
          stall: Math.min(least.stall, cost.stall),
          stallCpu: Math.min(least.stallCpu, cost.stallCpu),
        };
      const cheap = least.cpu < 30 && least.stall < 30;
      if (cheap || least.ms > 4_000) break;
    }
    if (least) found.push(least);
    // A service that had to be ended says enough about the place: other texts there would only take as long.
    if (least && least.ms >= patienceMs && found.filter(({ ms }) => ms >= patienceMs).length >= 2) break;
  }
  const most = (value: (cost: Cost) => number) => found.toSorted((a, b) => value(b) - value(a))[0] as Cost;
  return {
    route,
    requests: found.length,
    dearest: most(({ cpu }) => cpu),
    slowest: most(({ stallCpu }) => stallCpu),
  };
}

export type LargeStudyModule = typeof LargeStudies;
export type RequestsModule = typeof Requests;
