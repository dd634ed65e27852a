/** An answer of the push service that is not 201. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** To throw. */
export const refused = (status: number, message: string) => new Refusal(status, message);
