import { expect } from "@jest/globals";
import type { Answer, Failure } from "./person.ts";

/** The answer to a valid request that the service cannot serve for now. */
export function expectUnavailable({ status, headers, body }: Answer<Failure>): void {
  expect({ status, body }).toEqual({ status: 503, body: { error: "Service unavailable" } });
  expect(headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
}
