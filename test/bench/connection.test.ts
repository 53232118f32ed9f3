import { describe, expect, it } from "@jest/globals";
import { connectionOf } from "../../bench/load/connection.ts";
import type { Step } from "../../bench/load/script.ts";

const claim: Step = {
  method: "POST",
  path: "/claims",
  body: '{"at":"{start}"}',
  statuses: [201, 400],
  keep: '"id":"([^"]+)"',
};
const cancel: Step = { method: "DELETE", path: "/claims/{kept}", statuses: [200] };

/** Plays autocannon: what the connection sends for these answers, and what it complains of. */
function exchange(steps: readonly Step[], answers: readonly (readonly [number, string])[]) {
  const failures: string[] = [];
  const connection = connectionOf({ token: "t", steps }, (reason) => failures.push(reason));
  const { setupRequest, onResponse } = connection.request;
  if (typeof setupRequest !== "function" || typeof onResponse !== "function") {
    throw new Error("not a script of several steps");
  }
  const sent = answers.map(([status, body]) => {
    const request = setupRequest({}, {});
    onResponse(status, body, {}, {});
    return request;
  });
  return { sent, failures, isComplete: connection.isComplete() };
}

const GOOD = '{"id":"c1"}';

describe("a connection of the load generator", () => {
  it("sends each step in turn, with what it kept of the answer before, once", () => {
    const answers = [
      [201, GOOD],
      [200, "{}"],
      [201, '{"id":"c2"}'],
      [200, "{}"],
    ] as const;
    const { sent, failures } = exchange([claim, cancel], answers);
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /claims",
      "DELETE /claims/c1",
      "POST /claims",
      "DELETE /claims/c2",
    ]);
    expect(failures).toEqual([]);
    // Each names another time.
    expect(sent[0]?.body).not.toBe(sent[2]?.body);
    expect(exchange([claim, cancel, cancel], answers).sent[2]?.method).toBe("POST");
  });

  it("leaves out a step that lacks what it needs, and is complete once it gave back what it holds", () => {
    const refusal = [400, '{"error":"taken"}'] as const;
    const { sent, isComplete } = exchange([claim, cancel], [refusal, refusal]);
    expect(sent.map(({ method }) => method)).toEqual(["POST", "POST"]);
    expect(isComplete).toBe(true);
    expect(exchange([claim, cancel], [[201, GOOD]]).isComplete).toBe(false);
  });

  it("complains of a status that is not right, and of an answer that says 200 and has errors", () => {
    expect(exchange([claim], [[500, "oops"]]).failures).toEqual(["POST /claims gave 500: oops"]);
    const query: Step = { method: "POST", path: "/graphql", statuses: [200], refuse: '"errors"' };
    expect(exchange([query], [[200, '{"errors":[]}']]).failures).toHaveLength(1);
  });

  it("lets autocannon build a request once that is always the same", () => {
    const read: Step = { method: "GET", path: "/claims", statuses: [200] };
    const { request } = connectionOf({ token: "t", steps: [read] }, () => {});
    expect(request).toMatchObject({ path: "/claims", headers: { authorization: "Bearer t" } });
    expect(request).not.toHaveProperty("setupRequest");
  });
});
