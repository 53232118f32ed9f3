import * as field from "./fields.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";

const apartmentNumber = field.text("2B");
const fullName = field.text("Maria Silva");
const phoneNumber = field.text("+49 30 1234567");

export const Profile = schema.resource(
  "Profile",
  "A resident's account in the building.",
  field.columns("profiles", {
    id: field.id(),
    email: field.email,
    full_name: field.nullable(fullName),
    apartment_number: apartmentNumber,
    phone_number: field.nullable(phoneNumber),
    is_approved: field.flag(),
    is_admin: field.flag("", false),
    ...field.timestamps,
    shares_phone_number: field.flag(
      "Whether those with whom the resident shares a claim see the phone number. There only where it is true.",
    ),
  }),
  ["shares_phone_number"],
);

export const User = schema.resource(
  "User",
  "What the identity provider says of a person.",
  field.columns("users", {
    id: field.id(),
    email: field.email,
    email_confirmed_at: field.nullable(field.moment()),
    ...field.timestamps,
  }),
);

/** The other person of a claim (contract/claims.ts). */
export const Contact = schema.resource(
  "Contact",
  "The other person of a claim.",
  field.columns("contacts", {
    role: field.choice(["owner", "claimer"], "owner"),
    full_name: { ...field.nullable(fullName), column: "profiles.full_name" },
    apartment_number: { ...apartmentNumber, column: "profiles.apartment_number" },
    phone_number: {
      ...field.nullable(phoneNumber),
      column: "profiles.phone_number",
      description: "Null where the person does not share it.",
    },
  }),
);

const NewProfile = schema.body(
  "NewProfile",
  field.columns("profiles", {
    apartment_number: apartmentNumber,
    full_name: fullName,
    phone_number: phoneNumber,
    shares_phone_number: field.flag(),
  }),
  ["apartment_number"],
);
const ProfileChange = schema.body(
  "ProfileChange",
  field.columns("profiles", {
    apartment_number: apartmentNumber,
    full_name: field.nullable(fullName),
    phone_number: field.nullable(phoneNumber),
    shares_phone_number: field.flag(),
  }),
);
const ProfileFlags = schema.body(
  "ProfileFlags",
  field.columns("profiles", { is_approved: field.flag(), is_admin: field.flag() }),
);
export const ProfileFilter = schema.parameters({
  is_approved: field.flag("Only accounts that are, or are not, approved."),
  is_admin: field.flag("Only administrators, or only others."),
  ...schema.page,
});

// A token may bring a new address.
const anyone = routesFor("none", { table: "profiles", alsoWrites: "users" });
const own = {
  answer: schema.underName({ profile: Profile, user: User }),
  more: { user: "get_user" },
};
const administrator = routesFor("administrator", { table: "profiles" });
const answer = schema.underName({ profile: Profile });

export const profileRoutes: readonly Route[] = [
  anyone.get("/profile", "get_profile", { ...own, personal: true, limit: "profile" }),
  anyone.post("/profile", "create_profile", { ...own, body: NewProfile, location: "/profile" }),
  anyone.put("/profile", "update_profile", { ...own, body: ProfileChange }),

  administrator.get("/admin/profiles", "list_profiles", {
    query: ProfileFilter,
    order: { column: "created_at", direction: "desc" },
    answer: schema.pageOf("profiles", Profile),
    personal: true,
  }),
  administrator.get("/admin/profiles/:id", "get_profile_by_id", { answer, personal: true }),
  administrator.put("/admin/profiles/:id", "update_profile_flags", { body: ProfileFlags, answer }),
  administrator.remove("/admin/profiles/:id", "erase_profile", {
    query: schema.Removal,
    lock: "lock_person_as_administrator",
    answer: schema.deletionOf("profile", "Personal data erased successfully"),
  }),
];
