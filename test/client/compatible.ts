import type { Api, InferRequestType, InferResponseType } from '../../client/client.ts';
import type {
  Api as ReleasedApi,
  InferRequestType as ReleasedRequest,
  InferResponseType as ReleasedResponse,
} from './released/1.0.0/client.js';

/*
 * The types of a released client hold for the service of this commit, which `npm run types` proves: each request that
 * it may send is one of today's, and each answer of today has what it reads. A list of words may have got longer.
 */

type Method = '$get' | '$post' | '$put' | '$patch' | '$delete';

/** Without the words of a list, so deep as answers are. */
type Widened<T, Depth extends unknown[] = []> = Depth['length'] extends 8
  ? unknown
  : T extends string
    ? string
    : T extends number
      ? number
      : T extends boolean
        ? boolean
        : T extends readonly (infer One)[]
          ? Widened<One, [...Depth, 1]>[]
          : T extends object
            ? { [Key in keyof T]: Widened<Key extends 'timeZone' ? ZoneOf<T> : T[Key], [...Depth, 1]> }
            : T;

/** A device may be registered without a zone, which a client of 1.0.0 does not do. */
type ZoneOf<T> = T extends { platform: unknown; timeZone: infer Zone }
  ? Zone | null
  : T['timeZone' & keyof T];

/** Paths whose types no longer hold, with the reason; never where all do. */
type Broken<Old, New, Path extends string = ''> = {
  [Key in keyof Old & string]: Key extends '$url'
    ? never
    : Key extends keyof New
      ? Key extends Method
        ? [ReleasedRequest<Old[Key]>] extends [InferRequestType<New[Key]>]
          ? [Widened<InferResponseType<New[Key]>>] extends [Widened<ReleasedResponse<Old[Key]>>]
            ? never
            : `${Path} ${Key}: answer`
          : `${Path} ${Key}: request`
        : Broken<Old[Key], New[Key], `${Path}/${Key}`>
      : `${Path}/${Key}: missing`;
}[keyof Old & string];

/** An answer that was set aside has a status of its own, 202, and no response yet: clients read `uri` of 200 and 201. */
type Changed = '/survey/:id/response $post: answer';

type Nothing<T extends never> = T;
/** The compiler names here a route, a field or a permitted value of 1.0.0 that has gone. */
export type AllHold = Nothing<Exclude<Broken<ReleasedApi, Api>, Changed>>;

/** The proof would see a route that has gone, a field that an answer lost, and one that a request got. */
type Case = ReleasedApi['case'][':id'];
type WithoutRoute = Omit<Api, 'case'>;
type Answering<Body> = { case: { ':id': { $get: (args: { param: { id: string } }) => Promise<Body> } } };
type Getting = { case: { ':id': Pick<Case, '$get'> } };
type Asked = { case: { ':id': Pick<Case, '$patch'> } };
type Requiring = {
  case: { ':id': { $patch: (args: { param: { id: string }; json: { why: string } }) => never } };
};
export const noticed: [
  Broken<Pick<ReleasedApi, 'case'>, WithoutRoute>,
  Broken<Getting, Answering<Awaited<ReturnType<Api['user'][':id']['$get']>>>>,
  Broken<Asked, Requiring>,
] = ['/case: missing', '/case/:id $get: answer', '/case/:id $patch: request'];
