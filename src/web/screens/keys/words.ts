/** What a key may do, in the words of the API. A test compares them with its description. */
export const scopes = ["gate", "reports", "events"] as const;
