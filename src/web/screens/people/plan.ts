import type { Invitation, Profile, Spot } from "../../api/resources.ts";
import type { MessageKey } from "../../messages/en.ts";
import { isAddress, type List, type Meaning } from "./columns.ts";

export interface PlannedSpot {
  readonly spot_number: string;
  readonly building_section: string;
}

/** Somebody of the list; rows with one address are one person. */
export interface Planned {
  /** The rows of the list. */
  readonly lines: readonly number[];
  readonly email: string;
  readonly full_name: string;
  readonly apartment_number: string;
  readonly spots: readonly PlannedSpot[];
  /** Whether rows of this person name different apartments. */
  readonly differs: boolean;
}

/** The people of a list. */
export function planOf({ columns, rows }: List): readonly Planned[] {
  const people = new Map<string, Planned>();
  for (const { line, cells } of rows) {
    const all = (meaning: Meaning) =>
      columns.flatMap((column, index) =>
        column.meaning === meaning && cells[index] ? [cells[index]] : [],
      );
    const [email = ""] = all("email");
    const names = all("full_name").slice(0, 1);
    const row = {
      lines: [line],
      email,
      full_name: (names.length > 0 ? names : [...all("first_name"), ...all("last_name")]).join(" "),
      apartment_number: all("apartment_number")[0] ?? "",
      spots: spotsIn(all("spot_number"), all("building_section")),
      differs: false,
    };
    const key = email === "" ? `row ${line}` : keyOf(email);
    const known = people.get(key);
    people.set(key, known === undefined ? row : merged(known, row));
  }
  return [...people.values()];
}

export const keyOf = (email: string): string => email.toLowerCase();
/** Nearly as private.number_key compares them; the service decides. */
export const numberKeyOf = (number: string): string => number.normalize("NFKC").toLowerCase();

/** A cell may list several. One section stands for all, or each has its own. */
function spotsIn(numbers: readonly string[], sections: readonly string[]): PlannedSpot[] {
  const parts = (cells: readonly string[]) =>
    cells.flatMap((cell) => cell.split(/[;,|\n]/)).map((part) => part.trim());
  const [given, places] = [parts(numbers).filter((part) => part !== ""), parts(sections)];
  return given.map((spot_number, index) => ({
    spot_number,
    building_section: (places.length === given.length ? places[index] : sections[0]?.trim()) ?? "",
  }));
}

function merged(known: Planned, row: Planned): Planned {
  const has = ({ spot_number }: PlannedSpot) =>
    known.spots.some((it) => numberKeyOf(it.spot_number) === numberKeyOf(spot_number));
  const { apartment_number: first } = known;
  const { apartment_number: second } = row;
  return {
    lines: [...known.lines, ...row.lines],
    email: known.email,
    full_name: known.full_name || row.full_name,
    apartment_number: first || second,
    spots: [...known.spots, ...row.spots.filter((spot) => !has(spot))],
    differs: known.differs || (first !== "" && second !== "" && first !== second),
  };
}

/** What the building knows already. */
export interface Known {
  readonly invitations: readonly Invitation[];
  readonly profiles: readonly Profile[];
  readonly spots: readonly Spot[];
}

export interface Remark {
  readonly key: MessageKey;
  readonly values?: Readonly<Record<string, string>>;
}

/** A person of the list with what will happen. */
export interface Judged {
  /** Its place in the plan. */
  readonly index: number;
  readonly planned: Planned;
  /** What the service would refuse. Who has none can be invited. */
  readonly wrong: readonly Remark[];
  /** What the administrator should know. */
  readonly remarks: readonly Remark[];
}

/** Who is left out is not counted: of two with one spot, one can stay. */
export function judge(
  plan: readonly Planned[],
  known: Known,
  leftOut: ReadonlySet<number> = new Set(),
): readonly Judged[] {
  const wanted = plan.filter((_, index) => !leftOut.has(index));
  const open = known.invitations.filter(({ status }) => status === "open");
  const addresses = counted([
    ...open.map(({ email }) => keyOf(email)),
    ...wanted.map(({ email }) => keyOf(email)),
  ]);
  const numbers = counted(
    [...open, ...wanted].flatMap(({ spots }) => spots.map((it) => numberKeyOf(it.spot_number))),
  );
  const accounts = new Map(known.profiles.map((it) => [keyOf(it.email), it]));
  const registered = new Map(known.spots.map((it) => [numberKeyOf(it.spot_number), it]));

  return plan.map((planned, index) => {
    const { email, spots } = planned;
    const account = accounts.get(keyOf(email));
    const isInvited = isAddress(email) && (addresses.get(keyOf(email)) ?? 0) > 1;
    const twice = spots.filter((it) => (numbers.get(numberKeyOf(it.spot_number)) ?? 0) > 1);
    const taken = spots.filter((it) => {
      const owner = registered.get(numberKeyOf(it.spot_number))?.owner_id;
      return owner !== undefined && owner !== account?.id;
    });
    return {
      index,
      planned,
      wrong: [
        ...wrongFields(planned),
        ...when(isInvited, { key: "people.invitedAlready" }),
        ...(isInvited ? [] : twice.map((it) => aboutSpot("people.spotTwice", it))),
      ],
      remarks: [
        ...when(account?.is_approved === false, { key: "people.waits" }),
        ...when(account?.is_approved === true, { key: "people.approvedAlready" }),
        ...taken.map((it) => aboutSpot("people.spotTaken", it)),
      ],
    };
  });
}

function counted(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

const when = (condition: boolean, remark: Remark): readonly Remark[] => (condition ? [remark] : []);

const aboutSpot = (key: MessageKey, { spot_number }: PlannedSpot): Remark => ({
  key,
  values: { spot: spot_number },
});

function wrongFields(planned: Planned): readonly Remark[] {
  const { email, full_name, apartment_number, spots, differs } = planned;
  return [
    ...when(!isAddress(email), { key: "people.noAddress" }),
    ...when(apartment_number === "", { key: "people.noApartment" }),
    ...when(differs, { key: "people.differs" }),
    ...when(
      spots.some((it) => it.building_section === ""),
      { key: "people.noSection" },
    ),
    ...when(
      email.length > 320 ||
        full_name.length > 200 ||
        apartment_number.length > 32 ||
        spots.length > 20 ||
        spots.some((it) => it.spot_number.length > 32 || it.building_section.length > 100),
      { key: "people.tooLong" },
    ),
  ];
}

/** As the API takes it. */
export const invitationOf = ({
  email,
  full_name,
  apartment_number,
  spots,
}: Pick<Planned, "email" | "full_name" | "apartment_number" | "spots">) => ({
  email,
  apartment_number,
  ...(full_name !== "" && { full_name }),
  ...(spots.length > 0 && { spots }),
});
