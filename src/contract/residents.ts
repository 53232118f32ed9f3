import * as field from "./fields.ts";
import { apartmentNumber, fullName } from "./profiles.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";

const search = schema.parameters(
  {
    search: {
      ...fullName,
      column: "profiles.full_name",
      description: "A part of the name or of the number of the apartment.",
    },
  },
  ["search"],
);

export const Resident = schema.resource("Resident", "Somebody for whom the staff can claim.", {
  id: field.id("The person."),
  ...field.columns("profiles", {
    full_name: field.nullable(fullName),
    apartment_number: apartmentNumber,
  }),
});

export const residentRoutes: readonly Route[] = [
  routesFor("staff").get("/admin/residents", "find_residents", {
    query: search,
    answer: schema.allOf("residents", "Those who were found.", Resident, 20),
    personal: true,
  }),
];
