import { describe, expect, it } from "@jest/globals";
import { bodyOf, type SentEvent } from "../../src/webhooks/body.ts";

const place = { building: "Lindenhof 5", timeZone: "Europe/Berlin" };
const timestamp = "2030-01-01T08:00:00.000Z";
const claim: SentEvent = {
  type: "claim.submitted",
  timestamp,
  data: {
    id: "0197e2b0-6f1e-7c3a-9d52-5b8f0a1c2d3e",
    start_time: "2030-01-01T10:00:00.000Z",
    end_time: "2030-01-01T12:00:00.000Z",
  },
};

describe("the body of a webhook", () => {
  it("is the type, the time and what it happened to", () => {
    expect(JSON.parse(bodyOf("event", claim, place))).toEqual(claim);
  });

  it("leaves out what is longest where it would be 20 kB, and names it", () => {
    const data = { ...claim.data, guest: "ü".repeat(9_000), other: "x".repeat(9_000), short: "y" };
    const body = bodyOf("event", { ...claim, data }, place);
    expect(Buffer.byteLength(body)).toBeLessThan(20_000);
    const { guest: _, ...rest } = data;
    expect(JSON.parse(body)).toEqual({ ...claim, data: { ...rest, left_out: ["guest"] } });
  });
});

describe("the body for a chat", () => {
  const textOf = (event: SentEvent, spotNumber?: string): string =>
    JSON.parse(bodyOf("chat", event, { ...place, spotNumber })).text;

  it("is a sentence in the time of the building", () => {
    expect(textOf(claim, "A-101")).toBe(
      "Lindenhof 5: claim submitted, A-101, from 2030-01-01 11:00 to 2030-01-01 13:00 Europe/Berlin",
    );
    expect(textOf({ type: "profile.approved", timestamp, data: { full_name: "Maria" } })).toBe(
      "Lindenhof 5: profile approved, Maria",
    );
    expect(textOf({ type: "spot.verified", timestamp, data: { spot_number: "B_2" } })).toBe(
      "Lindenhof 5: spot verified, B_2",
    );
  });

  it("calls nobody and links nowhere, whatever people typed", () => {
    const full_name = "<!channel> @all [here](http://evil.example) <http://evil.example|A&B> `x`";
    const text = textOf({ type: "profile.registered", timestamp, data: { full_name } });
    expect(text).not.toMatch(/[<>]|@\w|\]\(|:\/\/|&(?!amp;|lt;|gt;)/);
    expect(text.replaceAll("\u200b", "")).toContain("@all [here](http://evil.example)");
  });
});

it("the body for Teams is an adaptive card that shows what people typed as it is", () => {
  const full_name = "[here](http://evil.example) **A&B**";
  const event = { type: "profile.registered", timestamp, data: { full_name } };
  expect(JSON.parse(bodyOf("teams", event, place))).toEqual({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: expect.objectContaining({
          type: "AdaptiveCard",
          body: [
            {
              type: "RichTextBlock",
              inlines: [{ type: "TextRun", text: `Lindenhof 5: profile registered, ${full_name}` }],
            },
          ],
        }),
      },
    ],
  });
});
