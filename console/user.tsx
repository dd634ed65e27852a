import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { useAnswer } from './answers.ts';
import { api, isProblem, type Me } from './api.ts';
import { FailedDoor } from './components/failed-screen.tsx';
import { Opening } from './components/opening.tsx';
import { SignUp } from './features/sign-in/sign-up-screen.tsx';

const User = createContext<Me | undefined>(undefined);

/** The signed-in user, as the service knows them. */
export function useUser(): Me {
  const user = useContext(User);
  if (!user) throw new Error('outside of a UserProvider');
  return user;
}

/** Reads the user, and signs up new people. */
export function UserProvider({ children }: { children: ComponentChildren }) {
  const { data, error, reload } = useAnswer(['me'], (options) =>
    api.user[':id'].$get({ param: { id: 'me' } }, options),
  );
  if (isProblem(error, 'user.not-signed-up')) return <SignUp onDone={reload} />;
  if (data) return <User.Provider value={data}>{children}</User.Provider>;
  return error ? <FailedDoor error={error} onRetry={reload} /> : <Opening />;
}
