import type { ComponentChildren } from 'preact';
import { strings } from '../common-strings.ts';
import { useOnline } from '../connection.ts';
import { signOut } from '../session.ts';
import { useUser } from '../user.tsx';
import { Brand } from './brand.tsx';
import { Button } from './button.tsx';
import { Avatar } from './person.tsx';

/** The product, the person, and whether the service can be reached. */
export function TopBar({ children }: { children?: ComponentChildren }) {
  const user = useUser();
  const online = useOnline();
  return (
    <>
      <a class="skip" href="#content">
        {strings.skip}
      </a>
      <header class="top-bar">
        <Brand />
        <div class="person">
          {children}
          <Avatar user={user.identifier} />
          <span class="person-name" dir="auto">
            {user.name}
          </span>
          <Button kind="quiet" icon="signOut" hideLabel onClick={signOut}>
            {strings.nav.signOut}
          </Button>
        </div>
      </header>
      <p class="offline" role="status">
        {!online && strings.offline}
      </p>
    </>
  );
}
