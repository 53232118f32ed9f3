import { limit, oneOf, type SettingFormat } from "./formats.ts";

type Setting = <T>(name: string, format: SettingFormat<T>, about: string, otherwise: T) => T;

/** How many requests there may be. */
export const rateLimitSettings = (setting: Setting) => ({
  perMinute: setting("RATE_LIMIT_PER_MINUTE", limit, "for each user; 0 turns it off", 100),
  perHour: setting("RATE_LIMIT_PER_HOUR", limit, "for each user; 0 turns it off", 1000),
  profilePerMinute: setting("PROFILE_RATE_LIMIT_PER_MINUTE", limit, "for GET /profile, too", 10),
  profilePerHour: setting("PROFILE_RATE_LIMIT_PER_HOUR", limit, "for GET /profile, too", 100),
  keyPerMinute: setting("KEY_RATE_LIMIT_PER_MINUTE", limit, "for each key of a machine", 300),
  keyPerHour: setting("KEY_RATE_LIMIT_PER_HOUR", limit, "for each key of a machine", 10_000),
  refusedTokensPerMinute: setting(
    "REFUSED_TOKEN_RATE_LIMIT_PER_MINUTE",
    limit,
    "for tokens of one address that are refused, and for secrets of calendar feeds, of mails and of machines that are unknown; so many sign-ins by mail may begin",
    60,
  ),
  store: setting(
    "RATE_LIMIT_STORE",
    oneOf(["memory", "postgres"]),
    "`postgres` for several processes",
    "memory",
  ),
});
