import type { Config } from '../../config.ts';
import type { Bindings } from './bindings.ts';

/** The delivery object of a user. Undefined: there are none, and turns go to the database directly. */
export function createDeliveryObjects(
  { DELIVERY }: Pick<Bindings, 'DELIVERY'>,
  { objects, location }: Config['delivery'],
) {
  return (user: string) => {
    if (objects === 0) return undefined;
    const n = Number.parseInt(user.slice(-8), 16) % objects;
    // An object stays where it was created, so another location needs other objects.
    const name = location ? `${location}-${n}` : String(n);
    // A stub that has met a broken object stays broken.
    return () => DELIVERY.get(DELIVERY.idFromName(name), location ? { locationHint: location } : undefined);
  };
}
