import { describe, expect, it } from "@jest/globals";
import { invitationOf, type Letter, letterOf } from "../../src/mail/letter.ts";
import { de as pageDe } from "../../src/web/messages/de.ts";
import { en as pageEn } from "../../src/web/messages/en.ts";

const now = Date.parse("2029-10-01T00:00:00Z");
const writtenLetter = (letter: Letter) => letterOf(letter, now);

const letter: Letter = {
  id: "mail.1",
  to: "maria@demo.example",
  language: "en",
  building: { name: "Lindenhof 5", time_zone: "Europe/Berlin" },
  kind: "claim.submitted",
  items: [
    {
      data: {
        spot_number: "A-101",
        is_owner: true,
        claimer_name: "Ada Lovelace",
        start_time: "2029-11-20T17:00:00.000Z",
        end_time: "2029-11-20T19:00:00.000Z",
      },
      message: "The claim of your parking spot A-101 was submitted",
    },
  ],
  link: "https://parking.example/spots?spot=1",
  preferencesUrl: "https://parking.example/profile",
  unsubscribeUrl: "https://parking.example/api/unsubscribe?sig=x&language=en",
};
const flat = (text: string) =>
  text.replaceAll(/\s*–\s*/g, "–").replaceAll(/[\u2009\u202f\u00a0]/g, " ");

describe("a mail", () => {
  it("says what happened, where to see it, and how to end mails", () => {
    const { subject, text, html } = writtenLetter(letter);
    expect(flat(subject)).toBe("Ada Lovelace claimed your spot A-101: Tue 20 Nov, 18:00–20:00");
    expect(flat(text)).toBe(`Ada Lovelace claimed your spot A-101: Tue 20 Nov, 18:00–20:00.

Open: https://parking.example/spots?spot=1

-- 
Parking in Lindenhof 5. All times are in Europe/Berlin.
Choose which mails you get:
https://parking.example/profile
End all of these mails:
https://parking.example/api/unsubscribe?sig=x&language=en
`);
    expect(html).toContain('<a href="https://parking.example/spots?spot=1">Open</a>');
    expect(html).toContain('href="https://parking.example/api/unsubscribe?sig=x&amp;language=en"');
  });

  it("is in the language of the person", () => {
    const { subject, text, html } = writtenLetter({ ...letter, language: "de" });
    expect(subject).toMatch(/^Ada Lovelace hat Ihren Stellplatz A-101 reserviert: Di\..* Uhr$/);
    expect(text).toMatch(/^Ada Lovelace hat Ihren Stellplatz A-101 reserviert: Di\., 20\. Nov\./);
    expect(html).toContain('<html lang="de">');
  });

  it("has the year of a time that is not of this one", () => {
    const claimed = (year: number) => ({
      data: {
        ...letter.items[0]?.data,
        start_time: `${year}-12-10T08:00Z`,
        end_time: `${year}-12-10T09:00Z`,
      },
      message: "",
    });
    const { text } = writtenLetter({ ...letter, items: [claimed(2029), claimed(2035)] });
    const lines = flat(text)
      .split("\n")
      .filter((line) => line.includes(" claimed "));
    expect(lines[0]).toMatch(/: Mon 10 Dec, 09:00–10:00/);
    expect(lines[1]).toMatch(/: Mon,? 10 Dec 2035, 09:00–10:00/);
  });

  it("is one for a series", () => {
    const items = Array.from({ length: 60 }, () => letter.items[0] as Letter["items"][0]);
    const { subject, text } = writtenLetter({ ...letter, items });
    expect(subject).toBe("A parking spot was claimed");
    expect(text.match(/claimed your spot/g)).toHaveLength(50);
    expect(text).toContain("and 10 more");
  });

  it("says the message where there are no facts, or the kind is new", () => {
    const items = [{ data: null, message: "It was so" }];
    expect(writtenLetter({ ...letter, items }).text).toMatch(/^It was so\n/);
    const unknown = writtenLetter({ ...letter, kind: "pet.lost", items });
    expect([unknown.subject, unknown.text.split("\n")[0]]).toEqual([
      "News about parking",
      "It was so",
    ]);
  });
});

describe("what people wrote", () => {
  const nasty = "<script>alert(1)</script>\"'&\r\nBcc: eve@evil.example";
  const nastyLetter: Letter = {
    ...letter,
    kind: "claim.cancelled",
    building: { name: nasty, time_zone: "UTC" },
    items: [
      {
        data: {
          is_owner: true,
          spot_number: nasty,
          claimer_name: nasty,
          actor_name: nasty,
          reason: nasty,
        },
        message: nasty,
      },
    ],
    people: [nasty],
  };

  it("is text in HTML, and one line of words in a header", () => {
    const { subject, html, id, to, unsubscribeUrl } = writtenLetter(nastyLetter);
    expect(html).not.toMatch(/<script|alert\(1\)<\/script/);
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;");
    expect(subject).toMatch(/^<script>.* was cancelled by .*: $/);
    expect(JSON.stringify([id, to, unsubscribeUrl])).not.toMatch(/script|Bcc/);
  });

  it("is no link in a subject", () => {
    const { subject, text } = writtenLetter({
      ...letter,
      items: [
        {
          data: {
            is_owner: true,
            spot_number: "www.evil.example",
            claimer_name: "https://evil.example",
          },
          message: "",
        },
      ],
    });
    for (const said of [subject, text]) expect(said).not.toMatch(/:\/\/evil|www\.e|evil\.e/);
  });

  it("is text in an invitation, too", () => {
    const { subject, html } = invitationOf({ ...nastyLetter, to: "<b>@demo.example" });
    expect(html).not.toMatch(/<script|<b>/);
    expect(subject).toBe("You are invited to share parking spots");
  });
});

describe("the mail to the first administrator", () => {
  it.each([
    ["en", pageEn],
    ["de", pageDe],
  ] as const)("says what to do first, with the names that the page has (%s)", (language, page) => {
    const invitation = { ...letter, language };
    const { subject, text } = invitationOf(invitation, "administrator");
    for (const name of [page["screen.building"], page["screen.people"], "Lindenhof 5", letter.to])
      expect(text).toContain(name);
    expect(subject).not.toBe(invitationOf(invitation).subject);
  });
});
