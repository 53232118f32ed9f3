import { expect } from "@jest/globals";
import type { Answer, Failure } from "./person.ts";

/** What a client is told whom the service would serve, if only it could. */
export function expectUnavailable({ status, headers, body }: Answer<Failure>): void {
  expect({ status, body }).toEqual({ status: 503, body: { error: "Service unavailable" } });
  expect(headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
}
