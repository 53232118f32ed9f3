import { describe, expect, it } from "@jest/globals";
import {
  addressIn,
  listOf,
  readList,
  textOfFile,
} from "../../../src/web/screens/people/columns.ts";
import { type Known, planOf, remarksOn } from "../../../src/web/screens/people/plan.ts";
import { holdsForAll } from "../../support/table.ts";

const bytes = (...values: readonly number[]): ArrayBuffer => new Uint8Array(values).buffer;
const nobody: Known = { profiles: [], spots: [] };

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
  const fourRows = [
    "a@b.example Müller 1",
    "b@b.example Öz 2",
    "c@b.example Ås 3",
    "d@b.example É 4",
  ];
  const encodings: readonly (readonly [string, (text: string) => Buffer])[] = [
    ["UTF-8", (text) => Buffer.from(text)],
    ["UTF-8 with a mark", (text) => Buffer.from(`\ufeff${text}`)],
    ["Windows-1252", (text) => Buffer.from(text, "latin1")],
    ["UTF-16 LE", (text) => Buffer.from(text, "utf16le")],
    ["UTF-16 LE with a mark", (text) => Buffer.from(`\ufeff${text}`, "utf16le")],
    ["UTF-16 BE", (text) => Buffer.from(text, "utf16le").swap16()],
    ["UTF-16 BE with a mark", (text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
  ];
  it("may be in each encoding, with each separator and each end of lines", () =>
    holdsForAll(encodings, async ([, encode]) => {
      for (const separator of [",", ";", "\t"])
        for (const end of ["\n", "\r\n", "\r"]) {
          const lines = ["mail name flat", ...fourRows].map((it) => it.replaceAll(" ", separator));
          expect(await people(textOfFile(bytes(...encode(lines.join(end)))))).toEqual(fourRows);
        }
    }));
});

describe("a list", () => {
  it("may have other separators, ends of lines, titles, orders and columns", () =>
    holdsForAll(
      [
        "E-Mail;Name;Wohnung;Stellplatz;Bereich\na@b.example;Ada Lovelace;2B;A-1;North",
        "email,name,apartment,spot,section\na@b.example,Ada Lovelace,2B,A-1,North",
        "Mail\tResident\tFlat\tParking spot\tLevel\na@b.example\tAda Lovelace\t2B\tA-1\tNorth",
        "Mail;Name;Whg;Platz;Ebene\r\na@b.example;Ada Lovelace;2B;A-1;North\r\n",
        '"E-Mail";"Name";"Wohnung";"Platz";"Bereich"\n"a@b.example";"Ada Lovelace";"2B";"A-1";"North"',
        "a@b.example;Ada Lovelace;2B;A-1;North",
        "Ada Lovelace,2B,A-1,North,a@b.example",
        "Residents 2027;;;;\n;;;;\nMail;Name;Flat;Spot;Section\na@b.example;Ada Lovelace;2B;A-1;North",
        "Mail;Name;Flat;Spot;Section;Since\na@b.example;Ada Lovelace;2B;A-1;North;2019",
        "Vorname;Nachname;Wohnung;E-Mail-Adresse;Platz;Bereich\nAda;Lovelace;2B;a@b.example;A-1;North",
      ],
      async (text) => expect(await people(text)).toEqual(["a@b.example Ada Lovelace 2B A-1@North"]),
    ));

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
  const remarks = (rows: readonly (readonly string[])[], known: Partial<Known> = {}) =>
    planOf(listOf([["mail", "flat", "spot", "section"], ...rows])).map((it) =>
      remarksOn(it, { ...nobody, ...known }).map(({ key }) => key),
    );
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

  it("is not said where rows of one person name different apartments", () => {
    const rows = [row("a@b.example", "1"), row("a@b.example", "2")];
    expect(planOf(listOf([["mail", "flat"], ...rows]))).toMatchObject([{ differs: true }]);
  });

  it("is said of a person who has registered already", () => {
    const said = (is_approved: boolean) =>
      remarks([row("A@b.example")], { profiles: [{ ...account, is_approved }] });
    expect(said(false)).toEqual([["people.waits"]]);
    expect(said(true)).toEqual([["people.approvedAlready"]]);
  });

  it("is said of a spot that is somebody else's", () => {
    const rows = [row("a@b.example", "1", "A-1")];
    const registered = { ...spot, spot_number: "a-1", owner_id: "q", ...times };
    expect(remarks(rows, { spots: [registered] })).toEqual([["people.spotTaken"]]);
    const profiles = [{ ...account, is_approved: true }];
    expect(remarks(rows, { spots: [{ ...registered, owner_id: "p" }], profiles })).toEqual([
      ["people.approvedAlready"],
    ]);
  });
});

it("an address is taken out of what people write around it, and anything else left to the service", () => {
  for (const text of [
    "<a@x.example>",
    "mailto:a@x.example",
    "a@x.example;",
    "Carla <a@x.example>",
    '"Carla, A." <mailto:a@x.example>, ',
  ])
    expect(addressIn(text)).toBe("a@x.example");
  for (const text of ["a@x.example, b@x.example", "a b@x.example", "a@@x.example", "a@-"])
    expect(addressIn(text)).toBe(text);
});
