import { languages, mailKinds } from "../texts/kinds.ts";
import * as field from "./fields.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";

const kinds = {
  ...field.list(field.choice(mailKinds, "wish.fits"), mailKinds.length, [
    "claim.starts",
    "wish.fits",
  ]),
  uniqueItems: true as const,
};

/** The choices of a person, and the building's choices for people who have made none. */
export const choices = {
  mail: kinds,
  language: field.choice(languages, "de"),
  remind_minutes: field.number(60),
};
const ownChoices = {
  mail: field.nullable(choices.mail),
  push: field.nullable(kinds),
  language: field.nullable(choices.language),
  remind_minutes: field.nullable(choices.remind_minutes),
};

export const Preference = schema.row("Preference", "preferences", ownChoices);
const PreferenceChange = schema.body("PreferenceChange", "preferences", ownChoices);

const anyone = routesFor("none", { table: "preferences", personal: true });
const answer = schema.underName({ preferences: Preference });

export const preferenceRoutes: readonly Route[] = [
  anyone.get("/profile/preferences", "get_preferences", { answer }),
  anyone.put("/profile/preferences", "update_preferences", { body: PreferenceChange, answer }),
];
