import { expect, it } from "@jest/globals";
import { mailOf } from "../../src/mail/letter.ts";

it("makes no link of the name under which a stranger waits for approval", () => {
  const { text, html } = mailOf(
    { id: "1", kind: "profiles.waiting" },
    {
      email: "ada@demo.example",
      language: "en",
      building: "The building",
      time_zone: "Europe/Berlin",
      items: [{ message: "", data: { count: 2 } }],
      people: [
        { name: "https://evil.example/approve www.evil.example me@evil.example", apartment: "1" },
        { name: "Dr. Ann", apartment: "2" },
      ],
      unsubscribe_key: "key",
    },
    { publicUrl: "https://p.test", unsubscribeUrl: "https://p.test/unsubscribe" },
  );
  for (const said of [text, html]) {
    expect(said).not.toMatch(/:\/\/evil|www\.e|evil\.e|@evil|\/approve/);
    expect(said).toContain("Dr. Ann, apartment 2");
  }
});
