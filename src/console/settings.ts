/** What `GET /console/config` tells: the service says where people sign in. */
export interface Settings {
  issuer: string;
  audience: string;
  clientId: string | null;
  scope: string;
  origins: string[];
  local: boolean;
}
