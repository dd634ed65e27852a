/** The path to which the provider sends people back; the provider has to know the address. */
export const callbackPath = '/console/signed-in';

/** A window beside a page whose sign-in has ended: it signs in, tells that page, and closes. */
export const againPath = '/console/sign-in-again';
