import { createHmac } from "node:crypto";

export const SUPERUSER = "postgres";

/** The roles that log in with a password of the embedded PostgreSQL, besides the superuser. */
export const LOGIN_ROLES = ["parking_owner", "parking_api", "parking_reporter"];

/**
 * The password of a role of the embedded PostgreSQL. It is made from the superuser's, and does not
 * reveal that one or another role's: the URL of the reporter is of use for reports only.
 */
export const passwordOf = (role: string, superuserPassword: string): string =>
  role === SUPERUSER
    ? superuserPassword
    : createHmac("sha256", superuserPassword).update(role).digest("base64url");
