import { expect } from "@jest/globals";
import { readConfig } from "../../src/config/config.ts";
import { OperatorError } from "../../src/errors/operator-error.ts";

export type Settings = Readonly<Record<string, string>>;

/** What is wrong with these settings, a line for each. */
export function problemsOf(
  settings: Settings,
  read: (settings: Settings) => unknown = readConfig,
): readonly string[] {
  try {
    read(settings);
    return [];
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const [heading, ...problems] = error.message.split("\n");
    expect(heading).toBe("The settings are wrong:");
    return problems.map((problem) => problem.trim());
  }
}

export const issuer = { AUTH_ISSUER: "https://login.example.org", AUTH_AUDIENCE: "parking" };
export const databaseUrl = "postgres://parking_api:hush@db.example:5432/parking";
