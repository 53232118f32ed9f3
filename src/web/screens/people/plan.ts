import type { Profile, Spot } from "../../api/resources.ts";
import type { MessageKey } from "../../messages/en.ts";
import { withoutEmpty } from "../../parts/empty.ts";
import { addressIn, type List, type Meaning } from "./columns.ts";

interface PlannedSpot {
  readonly spot_number: string;
  readonly building_section: string;
}

/** A person of the list. Rows with the same address are one person. */
export interface Planned {
  readonly lines: readonly number[];
  readonly email: string;
  readonly full_name: string;
  readonly apartment_number: string;
  readonly spots: readonly PlannedSpot[];
  readonly differs: boolean;
}

export function planOf({ columns, rows }: List): readonly Planned[] {
  const people = new Map<string, Planned>();
  for (const { line, cells } of rows) {
    const all = (meaning: Meaning) =>
      columns.flatMap((column, index) =>
        column.meaning === meaning && cells[index] ? [cells[index]] : [],
      );
    const email = addressIn(all("email")[0] ?? "");
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

const keyOf = (email: string): string => email.toLowerCase();
/** Almost the comparison of private.number_key: good enough, because it only makes a remark. */
const numberKeyOf = (number: string): string => number.normalize("NFKC").toLowerCase();

/** A cell may list several spots. One section is for all of them, or each has its own. */
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

export interface Known {
  readonly profiles: readonly Profile[];
  readonly spots: readonly Spot[];
}

export interface Remark {
  readonly key: MessageKey;
  readonly values?: Readonly<Record<string, string>>;
}

/** What the administrator should know about a person. The service reports errors. */
export function remarksOn({ email, spots }: Planned, known: Known): readonly Remark[] {
  const account = known.profiles.find((it) => keyOf(it.email) === keyOf(email));
  const taken = spots.filter(({ spot_number }) =>
    known.spots.some(
      (it) =>
        numberKeyOf(it.spot_number) === numberKeyOf(spot_number) && it.owner_id !== account?.id,
    ),
  );
  return [
    ...(account === undefined
      ? []
      : [{ key: account.is_approved ? "people.approvedAlready" : "people.waits" } as const]),
    ...taken.map(
      ({ spot_number: spot }) => ({ key: "people.spotTaken", values: { spot } }) as const,
    ),
  ];
}

export const invitationOf = ({
  email,
  full_name,
  apartment_number,
  spots,
}: Pick<Planned, "email" | "full_name" | "apartment_number" | "spots">) =>
  withoutEmpty({ email, full_name, apartment_number, spots: spots.length > 0 && spots });
