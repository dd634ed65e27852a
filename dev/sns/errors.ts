const STATUS = new Map(
  Object.entries({
    AuthorizationError: 403,
    ExpiredToken: 403,
    InternalError: 500,
    InternalFailure: 500,
    InvalidClientTokenId: 403,
    MissingAuthenticationToken: 403,
    NotFound: 404,
    ServiceUnavailable: 503,
    SignatureDoesNotMatch: 403,
    Throttled: 429,
  }),
);

/** The HTTP status that AWS sends with an error code. Most of its codes are 400. */
export function statusOf(code: string): number {
  return STATUS.get(code) ?? 400;
}

/** An error of the query protocol, answered as XML. */
export class SnsError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = statusOf(code)) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** SNS's catch-all for bad input: `Invalid parameter: <reason>`. */
export function invalidParameter(reason: string): SnsError {
  return new SnsError('InvalidParameter', `Invalid parameter: ${reason}`);
}

/** Bad input to the JSON side (inbox, faults, phones), answered as `{ "error": message }`. */
export class InputError extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}
