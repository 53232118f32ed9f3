import { describe, expect, it } from "@jest/globals";
import { sendToWebhook } from "../../src/webhooks/send.ts";
import { opened } from "../support/opened.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

const receiver = opened<Receiver>(
  () => startReceiver(),
  (it) => it.kill(),
);

const sendTo = (path: string, longestMs?: number) =>
  sendToWebhook(
    { url: receiver.origin + path, headers: { "webhook-id": "evt" }, body: '{"ü":1}' },
    { allowsLoopback: true, ...(longestMs && { longestMs }) },
  );

describe("a try to send a webhook", () => {
  it("posts JSON", async () => {
    expect(await sendTo("/204?first")).toEqual({ status: 204 });
    const { headers, body } = await receiver.received(({ path }) => path === "/204?first");
    expect(body).toBe('{"ü":1}');
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "content-length": "8",
      "webhook-id": "evt",
      "user-agent": expect.stringMatching(/^parking-spot-sharing\/\d/),
      connection: "close",
    });
  });

  it.each([200, 201, 202, 204, 299])("succeeds with %i", async (status) => {
    expect(await sendTo(`/${status}`)).toEqual({ status });
  });

  it.each([300, 304, 400, 401, 404, 408, 429, 500, 503, 599])("fails with %i", async (status) => {
    const { failure, ...outcome } = await sendTo(`/${status}`);
    expect(outcome).toEqual({ status });
    expect(failure).toMatch(`answered ${status}`);
  });

  it("does not follow a redirect", async () => {
    expect(await sendTo("/redirect")).toEqual({
      status: 302,
      failure: "answered 302; redirects are not followed",
    });
    await sendTo("/204?after");
    await receiver.received(({ path }) => path === "/204?after");
    expect(receiver.requests.map(({ path }) => path)).not.toContain("/followed");
  });

  it("has the receiver's wish to get nothing more, or to wait", async () => {
    expect(await sendTo("/410")).toEqual({ status: 410, failure: "answered 410", isGone: true });
    expect(await sendTo("/503/120")).toMatchObject({ status: 503, retryAfterMs: 120_000 });
  });

  it("ends where the receiver wants to speak another protocol, which nobody asked for", async () => {
    expect(await sendTo("/upgrade", 200)).toEqual({ failure: "did not answer in 0.2 seconds" });
  });

  it("reads no gigabyte", async () => {
    expect(await sendTo("/gigabyte")).toEqual({ status: 200 });
    const { headers } = await receiver.received(({ path }) => path === "/closed");
    expect(Number(headers.written)).toBeLessThan(50 * 1024 ** 2); // what the sockets hold
  });

  it.each<[string, string]>([
    ["/headers", "could not be reached (HPE_HEADER_OVERFLOW)"],
    ["/garbage", "could not be reached (HPE_INVALID_CONSTANT)"],
    ["/cut", "could not be reached (ECONNRESET)"],
  ])("fails with an answer that is none: %s", async (path, failure) => {
    expect(await sendTo(path)).toEqual({ failure });
  });

  it("fails where the receiver dies, and where nobody listens", async () => {
    const mortal = await startReceiver();
    const message = { url: `${mortal.origin}/die`, headers: {}, body: "{}" };
    const reset = { failure: "could not be reached (ECONNRESET)" };
    expect(await sendToWebhook(message, { allowsLoopback: true })).toEqual(reset);
    await mortal.kill();
    const refused = { failure: "could not be reached (ECONNREFUSED)" };
    expect(await sendToWebhook(message, { allowsLoopback: true })).toEqual(refused);
    const byName = { ...message, url: message.url.replace("127.0.0.1", "localhost") };
    expect(await sendToWebhook(byName, { allowsLoopback: true })).toEqual(refused);
  });

  it("ends with the service", async () => {
    const stopping = new AbortController();
    const sent = sendToWebhook(
      { url: `${receiver.origin}/hang/stopping`, headers: {}, body: "{}" },
      { allowsLoopback: true, signal: stopping.signal },
    );
    await receiver.received(({ path }) => path === "/hang/stopping");
    stopping.abort();
    expect(await sent).toEqual({ failure: "was not sent to the end: the service stopped" });
  });

  it("goes to this machine in development only, and without TLS nowhere else", async () => {
    const message = { url: `${receiver.origin}/204?production`, headers: {}, body: "{}" };
    expect(await sendToWebhook(message)).toEqual({ failure: "the URL must begin with https://" });
    expect(
      await sendToWebhook({ ...message, url: "http://example.com/" }, { allowsLoopback: true }),
    ).toEqual({ failure: "the URL must begin with https://" });
    await sendTo("/204?then");
    await receiver.received(({ path }) => path === "/204?then");
    expect(receiver.requests.map(({ path }) => path)).not.toContain("/204?production");
  });
});
