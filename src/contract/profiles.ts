import * as field from "./fields.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";
import { accessNotes } from "./spots.ts";

export const apartmentNumber = field.text("2B");
export const fullName = field.text("Maria Silva");
export const phoneNumber = field.text("+49 30 1234567");
/**
 * Characters from pasting are removed before a rule checks it (private.clean_phone_number).
 */
const typedPhoneNumber: typeof phoneNumber = {
  ...phoneNumber,
  minLength: 1,
  maxLength: 64,
  pattern: "^[^\\u0000-\\u0008\\ud800-\\udfff]*$",
};
export const vehicle = field.text("B-AB 1234");
const rejectionReason = field.text("Nobody of this name lives in 2B");

/** What people say about themselves. In a change, null clears a field. */
const own: field.Fields = {
  apartment_number: apartmentNumber,
  full_name: fullName,
  phone_number: typedPhoneNumber,
  shares_phone_number: field.flag(),
  vehicle,
};
const ownOrNothing: field.Fields = {
  ...own,
  full_name: field.nullable(fullName),
  phone_number: field.nullable(typedPhoneNumber),
  vehicle: field.nullable(vehicle),
};

export const Profile = schema.row(
  "Profile",
  "profiles",
  {
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
    is_approved_by_groups: field.flag(
      "Whether the groups of the identity provider decide is_approved, and not administrators. There only where it is true.",
    ),
    is_admin_by_groups: field.flag(
      "Whether the groups of the identity provider decide is_admin, and not administrators. There only where it is true.",
    ),
    is_suspended: field.flag("Whether the approval was taken back. There only where it is true."),
    vehicle,
    rejection_reason: rejectionReason,
    is_concierge: field.flag(
      "Whether the person is a concierge, who sees who may park, deals with reports and claims for residents. There only where it is true.",
    ),
    is_concierge_by_groups: field.flag(
      "Whether the groups of the identity provider decide is_concierge, and not administrators. There only where it is true.",
    ),
  },
  [
    "shares_phone_number",
    "is_approved_by_groups",
    "is_admin_by_groups",
    "is_suspended",
    "vehicle",
    "rejection_reason",
    "is_concierge",
    "is_concierge_by_groups",
  ],
);

export const User = schema.row("User", "users", {
  id: field.id(),
  email: field.email,
  email_confirmed_at: field.nullable(field.moment()),
  ...field.timestamps,
});

/** The other person of a claim (contract/claims.ts). */
export const Contact = schema.row(
  "Contact",
  "contacts",
  {
    role: field.choice(["owner", "claimer"], "owner"),
    full_name: { ...field.nullable(fullName), column: "profiles.full_name" },
    apartment_number: { ...apartmentNumber, column: "profiles.apartment_number" },
    phone_number: {
      ...field.nullable(phoneNumber),
      column: "profiles.phone_number",
      description: "Null where the person does not share it.",
    },
    access_notes: accessNotes,
  },
  ["access_notes"],
);

const NewProfile = schema.body("NewProfile", "profiles", own, ["apartment_number"]);
const ProfileChange = schema.body("ProfileChange", "profiles", ownOrNothing);
const ProfileFlags = schema.body("ProfileFlags", "profiles", {
  is_approved: field.flag(),
  is_admin: field.flag(),
  rejection_reason: field.nullable(rejectionReason),
  is_concierge: field.flag(),
  is_suspended: field.flag("False lets an account whose approval is taken back wait again."),
});
const NewAddress = schema.body(
  "NewAddress",
  "profiles",
  {
    email: { ...field.text("maria@demo.example"), column: "users.email" },
    reason: schema.reason,
  },
  ["email", "reason"],
);
const ProfileFilter = schema.parameters({
  is_approved: field.flag("Only accounts that are, or are not, approved."),
  is_admin: field.flag("Only administrators, or only others."),
  is_concierge: field.flag("Only concierges, or only others."),
  ...schema.page,
});

// A token may bring a new address.
const anyone = routesFor("none", { table: "profiles", alsoWrites: ["users"] });
const whole = {
  answer: schema.underName({ profile: Profile, user: User }),
  otherCalls: { user: "get_user" },
};
const administrator = routesFor("administrator", { table: "profiles" });
const answer = schema.underName({ profile: Profile });

export const profileRoutes: readonly Route[] = [
  anyone.get("/profile", "get_profile", {
    ...whole,
    readsAfterwards: "get_stored_profile",
    personal: true,
    limit: "profile",
  }),
  anyone.post("/profile", "create_profile", { ...whole, body: NewProfile, location: "/profile" }),
  anyone.put("/profile", "update_profile", { ...whole, body: ProfileChange }),
  routesFor("none", { table: "profiles" }).get("/profile/export", "export_profile", {
    answer: schema.recordsByName(
      "What is held about the caller: records by the names of what they are. A part without records is left out.",
    ),
    pieces: "exported",
    personal: true,
  }),

  administrator.get("/admin/profiles", "list_profiles", {
    query: ProfileFilter,
    order: { column: "created_at", direction: "desc" },
    answer: schema.pageOf("profiles", Profile),
    personal: true,
  }),
  administrator.get("/admin/profiles/:id", "get_profile_by_id", { answer, personal: true }),
  administrator.put("/admin/profiles/:id", "update_profile_flags", { body: ProfileFlags, answer }),
  administrator.post("/admin/profiles/:id/address", "give_address", {
    body: NewAddress,
    answer,
    location: "/admin/profiles/:id",
  }),
  administrator.remove("/admin/profiles/:id", "erase_profile", {
    query: schema.Removal,
    lock: "lock_person_as_administrator",
    answer: schema.deletionOf("profile", "Personal data erased successfully"),
  }),
];
