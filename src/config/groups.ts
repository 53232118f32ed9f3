import { type SettingFormat, text } from "./formats.ts";

/**
 * What a person's groups at the identity provider decide. A group that is not set decides nothing.
 */
export interface GroupsConfig {
  /** The claim that lists the groups. */
  readonly claim: string;
  readonly approved?: string | undefined;
  readonly admin?: string | undefined;
  readonly concierge?: string | undefined;
}

type Setting = <T>(name: string, format: SettingFormat<T>, about: string) => T | undefined;

export function groupSettings(setting: Setting, problems: string[]): GroupsConfig | undefined {
  const claim = setting(
    "AUTH_GROUPS_CLAIM",
    text,
    "the claim of the access token that lists the person's groups, for the next three ([groups](identity-providers.md#groups))",
  );
  const group = {
    approved: setting(
      "AUTH_APPROVED_GROUP",
      text,
      "who is in this group is approved, and nobody else; unset: administrators approve",
    ),
    admin: setting(
      "AUTH_ADMIN_GROUP",
      text,
      "who is in this group administers once approved, and nobody else; unset: administrators appoint others",
    ),
    concierge: setting(
      "AUTH_CONCIERGE_GROUP",
      text,
      "who is in this group is a concierge once approved, and nobody else; unset: administrators appoint them",
    ),
  };
  if (claim && Object.values(group).every((name) => !name)) {
    problems.push(
      "AUTH_GROUPS_CLAIM: needs AUTH_APPROVED_GROUP, AUTH_ADMIN_GROUP or AUTH_CONCIERGE_GROUP",
    );
  }
  return claim ? { claim, ...group } : undefined;
}
