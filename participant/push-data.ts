/* The content of a push, in either form: ours alone, or as a declarative web push, which Safari shows by itself. */

export interface Pushed {
  title: string;
  body: string;
  data: { survey?: string; investigation?: string; notification?: string };
}

/** The part of `PushMessageData` that is read. */
export interface Message {
  json(): unknown;
}

interface Declared extends Partial<Pushed> {
  /** The address that a tap opens. */
  navigate?: string;
}

const unreadable: Pushed = { title: 'Fieldbell', body: '', data: {} };

/** A push that cannot be read is shown all the same. */
export function pushedIn(message: Message | null): Pushed {
  try {
    const { notification = {}, ...own } = (message?.json() ?? {}) as Declared & { notification?: Declared };
    const { title, body, data } = { ...unreadable, ...own, ...defined(notification) };
    return {
      title: typeof title === 'string' && title ? title : unreadable.title,
      body: typeof body === 'string' ? body : '',
      data: { ...idsIn(notification.navigate), ...(typeof data === 'object' ? data : {}) },
    };
  } catch {
    return unreadable;
  }
}

const defined = ({ title, body, data }: Declared): Declared => ({
  ...(title !== undefined && { title }),
  ...(body !== undefined && { body }),
  ...(data !== undefined && { data }),
});

/** Of the address alone: what else is in it does not matter. */
function idsIn(address: string | undefined): Pushed['data'] {
  const query = new URLSearchParams(typeof address === 'string' ? address.replace(/^[^?]*|#.*$/g, '') : '');
  const [survey, notification] = [query.get('survey'), query.get('notification')];
  return survey && notification ? { survey, notification } : {};
}
