import * as field from "./fields.ts";
import { vehicle } from "./profiles.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";
import { buildingSection, spotNumber } from "./spots.ts";

const plate = {
  ...vehicle,
  column: "claims.vehicle",
  description: "The plate; case, spaces and hyphens do not matter.",
};
const section = field.columns("spots", { building_section: buildingSection }).building_section;
const spot = {
  spot_number: field.nullable({ ...spotNumber, column: "spots.spot_number" }),
  building_section: field.nullable(section),
};

const NewPassage = schema.body(
  "NewPassage",
  "passages",
  {
    vehicle: plate,
    direction: field.choice(["in", "out"], "in"),
    at: field.time("When it passed; now where it is absent.", field.EXAMPLE_START),
  },
  ["vehicle", "direction"],
);

export const Overstay = schema.answer("A vehicle that stays too long.", {
  vehicle: { ...plate, description: "The letters and digits of the plate." },
  entered_at: field.moment("When it came in."),
  ...spot,
  ended_at: field.nullable(field.moment("The end of its last claim, if it had one.")),
});

const machine = routesFor("administrator", { scope: "gate", personal: true });

export const gateRoutes: readonly Route[] = [
  machine.get("/gate", "gate", {
    query: schema.parameters(
      {
        vehicle: plate,
        at: field.time(
          "The moment; now where it is absent. For a key, a day ago at the earliest.",
          field.EXAMPLE_START,
        ),
      },
      ["vehicle"],
    ),
    answer: schema.answer("Whether a vehicle may pass, and where it may stand. No names.", {
      allowed: field.flag("Whether it may pass."),
      until: field.nullable(
        field.moment("The end of its right, without grace. Null: no end is known, or no right."),
      ),
      ...spot,
      reason: field.choice(
        ["claim", "early", "late", "owner", "lent", "not_now", "unknown"],
        "claim",
        "claim: its claim is on; early, late: it starts or has ended within the grace of the building; owner: it stands on its own spot. Not allowed: lent: somebody has claimed that spot; not_now: its claim is to come; unknown: none of these.",
      ),
    }),
  }),
  machine.get("/gate/today", "gate_today", {
    isSigned: true,
    answer: schema.allOf(
      "vehicles",
      "Two days from midnight on, by plate. Times are without grace. No names.",
      schema.answer("A vehicle that may pass.", {
        vehicle: { ...plate, description: "The letters and digits of the plate." },
        ...field.span,
        ...field.columns("spots", { spot_number: spotNumber, building_section: buildingSection }),
      }),
      schema.MOST_ROWS,
    ),
  }),
  machine.post("/gate/passages", "create_passage", {
    body: NewPassage,
    location: undefined,
    answer: schema.answer("Whether the passage is kept.", {
      is_kept: field.flag("False where the building keeps none, or none so old."),
    }),
  }),
  routesFor("administrator", { personal: true }).get("/admin/overstays", "overstays", {
    answer: schema.allOf(
      "overstays",
      "Vehicles that came in and may not stand here any more, the longest first.",
      Overstay,
      1_000,
    ),
  }),
];
