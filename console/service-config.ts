import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** The answer of `GET /console/config`, which names the sign-in provider. */
export interface Settings {
  issuer: string;
  audience: string;
  clientId: string | null;
  scope: string;
  origins: string[];
  local: boolean;
}

export const SettingsContext = createContext<Settings | undefined>(undefined);

export function useSettings(): Settings {
  const settings = useContext(SettingsContext);
  if (!settings) throw new Error('before the settings are read');
  return settings;
}
