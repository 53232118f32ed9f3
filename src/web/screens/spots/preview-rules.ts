/** A preview has the message of a rule and not its name (sql/patterns/preview_pattern.sql). */
export const ruleOfMessage: Readonly<Record<string, string>> = {
  "start_time must be in the future": "availabilities_start_in_future",
  "The window is longer than the building allows": "availabilities_no_longer_than_allowed",
  "The window ends further ahead than the building allows": "availabilities_within_horizon",
};
