import { createHmac } from "node:crypto";

export const SUPERUSER = "postgres";

/**
 * The password of a role of the embedded PostgreSQL. It is made from the superuser's, and does not
 * reveal that one or another role's: the URL of the reporter is of use for reports only.
 */
export const passwordOf = (role: string, superuserPassword: string): string =>
  role === SUPERUSER
    ? superuserPassword
    : createHmac("sha256", superuserPassword).update(role).digest("base64url");
