import { describe, expect, it } from "@jest/globals";
import { isAddress, type List, listOf } from "../../../src/web/screens/people/columns.ts";
import { judge, type Known, planOf } from "../../../src/web/screens/people/plan.ts";
import { textOfFile } from "../../../src/web/screens/people/text-of-file.ts";

/** Not known to the compiler: the types of Papa Parse would bring those of browsers to all tests. */
const reader = new URL("../../../src/web/screens/people/read-list.ts", import.meta.url).href;
const { readList }: { readList(text: string): Promise<List> } = await import(reader);

const bytes = (...values: readonly number[]): ArrayBuffer => new Uint8Array(values).buffer;
const nobody: Known = { invitations: [], profiles: [], spots: [] };

/** The people of a text, in short. */
const people = async (text: string) =>
  planOf(await readList(text)).map(({ email, full_name, apartment_number, spots }) =>
    [
      email,
      full_name,
      apartment_number,
      ...spots.map((it) => `${it.spot_number}@${it.building_section}`),
    ].join(" "),
  );

describe("the text of a file", () => {
  const text = "Müller";
  it.each([
    ["UTF-8", bytes(...new TextEncoder().encode(text))],
    ["UTF-8 with a mark", bytes(0xef, 0xbb, 0xbf, ...new TextEncoder().encode(text))],
    ["Windows-1252", bytes(0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72)],
    ["UTF-16", bytes(0xff, 0xfe, ...new Uint8Array(Buffer.from(text, "utf16le")))],
  ])("may be %s", (_what, file) => {
    expect(textOfFile(file)).toBe(text);
  });
});

describe("a list", () => {
  const one = ["a@b.example Ada Lovelace 2B A-1@North"];

  it.each([
    ["semicolons", "E-Mail;Name;Wohnung;Stellplatz;Bereich\na@b.example;Ada Lovelace;2B;A-1;North"],
    ["commas", "email,name,apartment,spot,section\na@b.example,Ada Lovelace,2B,A-1,North"],
    [
      "tabs",
      "Mail\tResident\tFlat\tParking spot\tLevel\na@b.example\tAda Lovelace\t2B\tA-1\tNorth",
    ],
    [
      "Windows' ends of lines",
      "Mail;Name;Whg;Platz;Ebene\r\na@b.example;Ada Lovelace;2B;A-1;North\r\n",
    ],
    [
      "quotes",
      '"E-Mail";"Name";"Wohnung";"Platz";"Bereich"\n"a@b.example";"Ada Lovelace";"2B";"A-1";"North"',
    ],
    ["no titles", "a@b.example;Ada Lovelace;2B;A-1;North"],
    ["no titles, in another order", "Ada Lovelace,2B,A-1,North,a@b.example"],
    [
      "a heading",
      "Residents 2027;;;;\n;;;;\nMail;Name;Flat;Spot;Section\na@b.example;Ada Lovelace;2B;A-1;North",
    ],
    [
      "a column of no use",
      "Mail;Name;Flat;Spot;Section;Since\na@b.example;Ada Lovelace;2B;A-1;North;2019",
    ],
    [
      "first and last names",
      "Vorname;Nachname;Wohnung;E-Mail-Adresse;Platz;Bereich\nAda;Lovelace;2B;a@b.example;A-1;North",
    ],
  ])("may have %s", async (_what, text) => {
    expect(await people(text)).toEqual(one);
  });

  it("may repeat a person for each spot, or list the spots in a cell", async () => {
    const head = "mail;name;flat;spot;section\n";
    expect(
      await people(`${head}A@b.example;Ada;2B;A-1;North\na@b.example;Ada;2B;A-2;South`),
    ).toEqual(["A@b.example Ada 2B A-1@North A-2@South"]);
    expect(await people(`${head}a@b.example;Ada;2B;"A-1, A-2";North`)).toEqual([
      "a@b.example Ada 2B A-1@North A-2@North",
    ]);
    expect(await people(`${head}a@b.example;Ada;2B;"A-1\nA-2";"North\nSouth"`)).toEqual([
      "a@b.example Ada 2B A-1@North A-2@South",
    ]);
  });

  it("counts rows as spreadsheets do, and leaves empty ones out", async () => {
    const { rows } = await readList("mail;flat\n\na@b.example;1\n;\nb@b.example;2\n");
    expect(rows.map(({ line }) => line)).toEqual([3, 5]);
  });

  it("may be empty", async () => {
    expect((await readList("")).rows).toEqual([]);
    expect((await readList(" \n\n")).rows).toEqual([]);
  });
});

describe("what will happen", () => {
  const row = (email: string, apartment = "1", spot = "", section = "North") =>
    [email, apartment, spot, section] as const;
  const judged = (rows: readonly (readonly string[])[], known: Partial<Known> = {}) =>
    judge(planOf(listOf([["mail", "flat", "spot", "section"], ...rows])), {
      ...nobody,
      ...known,
    }).map(({ wrong, remarks }) => [...wrong, ...remarks].map(({ key }) => key));
  const spot = { id: "s", is_verified: true, building_section: "North" };
  const times = { created_at: "", updated_at: "" };
  const account = {
    id: "p",
    email: "a@b.example",
    full_name: null,
    apartment_number: "1",
    phone_number: null,
    is_admin: false,
    ...times,
  };

  it("is said of what is wrong", () => {
    expect(judged([row("nobody"), row("a@b.example", "")])).toEqual([
      ["people.noAddress"],
      ["people.noApartment"],
    ]);
    expect(judged([row("a@b.example", "1"), row("a@b.example", "2")])).toEqual([
      ["people.differs"],
    ]);
    expect(judged([row("a@b.example", "1", "A-1", "")])).toEqual([["people.noSection"]]);
    expect(judged([row("a@b.example", "x".repeat(33))])).toEqual([["people.tooLong"]]);
  });

  it("is said of a spot that two have, and no longer where one of them is left out", () => {
    const rows = [row("a@b.example", "1", "A-1"), row("b@b.example", "1", "a-1")];
    expect(judged(rows)).toEqual([["people.spotTwice"], ["people.spotTwice"]]);
    const plan = planOf(listOf([["mail", "flat", "spot", "section"], ...rows]));
    expect(judge(plan, nobody, new Set([1])).map(({ wrong }) => wrong)).toEqual([[], []]);
  });

  it("is said of who is invited or has registered already", () => {
    const invitation = {
      ...account,
      spots: [],
      status: "open",
      inviter_id: "x",
      profile_id: null,
    } as const;
    expect(judged([row("A@b.example")], { invitations: [invitation] })).toEqual([
      ["people.invitedAlready"],
    ]);
    expect(
      judged([row("A@b.example")], { invitations: [{ ...invitation, status: "accepted" }] }),
    ).toEqual([[]]);
    expect(
      judged([row("A@b.example")], { profiles: [{ ...account, is_approved: false }] }),
    ).toEqual([["people.waits"]]);
    expect(judged([row("a@b.example")], { profiles: [{ ...account, is_approved: true }] })).toEqual(
      [["people.approvedAlready"]],
    );
  });

  it("is said of a spot that is somebody else's", () => {
    const rows = [row("a@b.example", "1", "A-1")];
    const registered = { ...spot, spot_number: "a-1", owner_id: "q", ...times };
    expect(judged(rows, { spots: [registered] })).toEqual([["people.spotTaken"]]);
    const profiles = [{ ...account, is_approved: true }];
    expect(judged(rows, { spots: [{ ...registered, owner_id: "p" }], profiles })).toEqual([
      ["people.approvedAlready"],
    ]);
  });
});

it.each(["a@b.example", "ä@ö.example"])("%s is an address", (text) => {
  expect(isAddress(text)).toBe(true);
});
it.each(["", "a", "a@", "@b", "a b@c", "a@b@c", "Ada <a@b.example>"])(
  "%j is no address",
  (text) => {
    expect(isAddress(text)).toBe(false);
  },
);
