/** Where the provider sends people back to; it has to know the address. */
export const callbackPath = '/console/signed-in';
