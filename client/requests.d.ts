/*
 * The types of requests in the declarations of the client, as `hono/client` has them, so that its users need no other
 * package. `build/client.ts` puts the names of status codes in front.
 */
export type JSONValue = unknown;

export interface RequestOptions {
  /** Such as `if-match`. */
  headers?: Record<string, string> | (() => Record<string, string> | Promise<Record<string, string>>);
  /** Other options of `fetch`, such as `signal`. */
  init?: RequestInit;
}

interface Endpoint {
  input: unknown;
  output: unknown;
  outputFormat: string;
  status: number;
}

type Request<Input, One> =
  Record<never, never> extends Input
    ? (args?: Input, options?: RequestOptions) => Promise<ResponseOf<One>>
    : (args: Input, options?: RequestOptions) => Promise<ResponseOf<One>>;

/** The methods of a path. Address and path are for readers of a message of the compiler. */
export type ClientRequest<_Prefix extends string, _Path extends string, Methods> = {
  [Method in keyof Methods]: Methods[Method] extends { input: infer Input }
    ? Input extends object
      ? Request<Input, Methods[Method]>
      : never
    : never;
} & {
  /** The address of a request, without sending it. */
  $url(args?: { param?: Record<string, string>; query?: Record<string, string | string[] | undefined> }): URL;
};

type ResponseOf<One> = One extends Endpoint
  ? ClientResponse<One['output'], One['status'], One['outputFormat']>
  : never;

/** As the answer of `fetch`, with the type of its body. */
export interface ClientResponse<Body, Status extends number = number, Format extends string = string> {
  readonly body: ReadableStream | null;
  readonly bodyUsed: boolean;
  readonly ok: Status extends SuccessStatusCode ? true : Status extends StatusCode ? false : boolean;
  readonly redirected: boolean;
  readonly status: Status;
  readonly statusText: string;
  readonly headers: Headers;
  readonly url: string;
  clone(): Response;
  json(): Promise<Format extends 'json' ? Body : unknown>;
  text(): Promise<Format extends 'text' ? (Body extends string ? Body : never) : string>;
  blob(): Promise<Blob>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

type Sent = (args: never, options?: RequestOptions) => Promise<unknown>;

/** The arguments of a request: `InferRequestType<Api['user']['$post']>['json']`. */
export type InferRequestType<One> = One extends (
  args: infer Input,
  options?: RequestOptions,
) => Promise<unknown>
  ? NonNullable<Input>
  : never;

/** The body of its answer, of any status or of one. */
export type InferResponseType<One, Status extends number = number> = One extends Sent
  ? Awaited<ReturnType<One>> extends infer Answer
    ? Answer extends ClientResponse<infer Body, infer Of, string>
      ? Of extends Status
        ? Body
        : never
      : never
    : never
  : never;
