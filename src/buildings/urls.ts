/** The URLs of a building, made from that of the administrator of its cluster. */

/** Logs in as the administrator. */
export function databaseUrl(clusterUrl: string, database: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

/**
 * Logs in as the administrator and acts as the owner from the start: a rollout over a thousand
 * buildings needs no thousand passwords.
 */
export function ownerUrl(clusterUrl: string, database: string, owner: string): string {
  const url = new URL(databaseUrl(clusterUrl, database));
  const options = url.searchParams.get("options");
  url.searchParams.set("options", [options, `-c role=${owner}`].filter(Boolean).join(" "));
  return url.href;
}

/** Logs in as a role of the building. */
export function roleUrl(
  clusterUrl: string,
  database: string,
  role: string,
  password: string,
): string {
  const url = new URL(databaseUrl(clusterUrl, database));
  url.username = role;
  url.password = password;
  return url.href;
}
