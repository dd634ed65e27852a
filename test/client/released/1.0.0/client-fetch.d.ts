import type { Fault, ProblemCode } from './errors.js';
export interface ClientOptions {
    /** The deployment, such as `https://fieldbell.example.org`. */
    baseUrl: string;
    /** Returns the access token; called again with `refused` if the service refused the last one. */
    token: (why: {
        refused: boolean;
    }) => string | Promise<string>;
    /** Time limit of one attempt. */
    timeoutMs?: number;
    /** Attempts after the first one. */
    retries?: number;
    fetch?: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
    sleep?: (ms: number) => Promise<unknown>;
}
interface ProblemDocument {
    code?: ProblemCode;
    detail?: string;
    errors?: Fault[];
    bound?: string;
}
/** An error answer of the service (RFC 9457). `/problems/:code` explains each code. */
export declare class ProblemError extends Error {
    readonly name = "ProblemError";
    readonly code: ProblemCode | 'unknown';
    readonly status: number;
    readonly errors: Fault[];
    /** With `limit.reached`: the setting of the service that is reached. */
    readonly bound: string | undefined;
    readonly retryAfterSeconds: number | undefined;
    readonly requestId: string | undefined;
    constructor(response: Response, document: ProblemDocument);
}
/**
 * `fetch` with the access token, the newest bookmark, a time limit, and retries where they are safe. It resolves only
 * with answers that are not errors. @throws ProblemError, or the error of `fetch` when the network keeps failing
 */
export declare function createFetch(options: ClientOptions): (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
export {};
