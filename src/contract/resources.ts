import { MAX_EMAIL_LENGTH } from "../formats.ts";
import { type ListSchema, type ResourceSchema, resource } from "./answers.ts";
import * as field from "./fields.ts";

const timestamps = {
  created_at: field.moment("When it came to be."),
  updated_at: field.moment("When it was last changed."),
};
const email: field.FieldSchema = {
  type: "string",
  format: "email",
  minLength: 3,
  maxLength: MAX_EMAIL_LENGTH,
  description: "As the identity provider has it.",
  example: "maria@demo.example",
};
const startTime = field.moment("The first moment of the span.", field.EXAMPLE_START);
const endTime = field.moment("The first moment after the span.", field.EXAMPLE_END);

const profile = {
  id: field.id("The same as the user's."),
  email,
  full_name: field.nullable(field.fullName),
  apartment_number: field.apartmentNumber,
  phone_number: field.nullable(field.phoneNumber),
  is_approved: field.flag("Whether an administrator approved the account."),
  is_admin: field.flag("Whether the account has administrator privileges.", false),
  ...timestamps,
  shares_phone_number: {
    ...field.sharesPhoneNumber,
    description: `${field.sharesPhoneNumber.description} There only where it is true.`,
  },
};
export const Profile = resource("A resident's account in the building.", profile, [
  "shares_phone_number",
]);

export const Building = resource("The building.", {
  id: field.id("Identifies the building."),
  name: field.buildingName,
  time_zone: field.timeZone,
  ...field.limits,
  ...timestamps,
});

export const Contact = resource("The other person of a claim.", {
  role: {
    type: "string",
    enum: ["owner", "claimer"],
    description: "What the person is to the claim.",
    example: "owner",
  },
  full_name: field.nullable(field.fullName),
  apartment_number: field.apartmentNumber,
  phone_number: field.nullable({
    ...field.phoneNumber,
    description: "Null where the person does not share it.",
  }),
});

export const User = resource("What the identity provider says of a person.", {
  id: field.id("The subject of the token."),
  email,
  email_confirmed_at: field.nullable(field.moment("When the address was confirmed.")),
  ...timestamps,
});

const ownSpot = {
  id: field.id("Identifies the spot."),
  spot_number: field.spotNumber,
  building_section: field.buildingSection,
  is_verified: field.flag("Whether an administrator confirmed number, section and owner."),
};

export const Spot = resource("A parking spot.", {
  ...ownSpot,
  owner_id: field.id("The resident who registered it."),
  ...timestamps,
});

export const Availability = resource("A window of time in which a spot may be claimed.", {
  id: field.id("Identifies the window."),
  spot_id: field.id("The spot it belongs to."),
  start_time: startTime,
  end_time: endTime,
  is_claimed: field.flag("Whether an active or completed claim holds it.", false),
  ...timestamps,
});

export const Claim = resource("A resident's use of another's window, or of part of it.", {
  id: field.id("Identifies the claim."),
  availability_id: field.id("The claimed window."),
  claimer_id: field.id("The resident who claimed it."),
  start_time: startTime,
  end_time: endTime,
  status: field.claimStatus,
  ...timestamps,
});

export const Notification = resource("A message from the service to a resident.", {
  id: field.id("Identifies the notification."),
  kind: {
    type: "string",
    enum: [
      "claim.submitted",
      "claim.completed",
      "claim.cancelled",
      "claim.deleted",
      "profile.approved",
      "spot.verified",
      "spot.deleted",
      "availability.deleted",
    ],
    description: "What happened.",
    example: "spot.verified",
  },
  // What it is made of is much shorter (sql/notifications).
  message: field.line(1_000, "The same, for people.", "Your parking spot A-101 was verified"),
  claim_id: field.nullable(field.id("The claim it is about.")),
  availability_id: field.nullable(field.id("The window it is about.")),
  spot_id: field.nullable(field.id("The spot it is about.")),
  is_read: field.flag("Whether it was read.", false),
  resolved_at: field.nullable(field.moment("When a later event settled it.")),
  ...timestamps,
});

/** What reports count. */
const used = {
  offered_minutes: field.count("Minutes in which spots could be claimed, added up."),
  claimed_minutes: field.count("Minutes of them that active or completed claims took."),
  share: field.nullable({
    type: "number",
    minimum: 0,
    maximum: 1,
    description: "claimed_minutes / offered_minutes; null where nothing was offered.",
    example: 0.5,
  }),
};

export const UseOfHour = resource("How much an hour of the week was used, over all weeks.", {
  weekday: { ...field.count("1 is Monday, 7 is Sunday."), minimum: 1, maximum: 7 },
  hour: { ...field.count("The hour in the time zone of the building."), maximum: 23 },
  ...used,
});

export const UseOfSection = resource("How much a section was used, on a day or in a week.", {
  building_section: field.buildingSection,
  first_day: field.day("The day, or the first of the week that is in the period.", "2029-11-01"),
  ...used,
});

export const SpotNeverOffered = resource("A spot without a window in the period.", {
  ...ownSpot,
  owner_id: field.id("The resident who registered it."),
  last_offered: field.nullable(field.moment("The end of its last window before the period.")),
});

export const WindowNeverClaimed = resource("A window without an active or completed claim.", {
  id: field.id("Identifies the window."),
  spot_id: field.id("The spot it belongs to."),
  spot_number: field.spotNumber,
  building_section: field.buildingSection,
  owner_id: field.id("The owner of the spot."),
  start_time: startTime,
  end_time: endTime,
});

export const DashboardStats = resource("The caller's spots and claims, counted.", {
  total_spots: field.count("Spots of the caller."),
  active_spots: field.count("Those with a window that contains the present moment."),
  total_claims: field.count("Claims that the caller made."),
  active_claims: field.count("Those that are active."),
});

export const RecentSpot = resource("A spot, in short.", {
  ...ownSpot,
  created_at: timestamps.created_at,
});

export const RecentClaim = resource("A claim, in short.", {
  id: field.id("Identifies the claim."),
  spot_id: field.id("The claimed spot."),
  start_time: startTime,
  end_time: endTime,
  status: field.claimStatus,
});

/** No more of them than api.get_dashboard takes. */
const newest = (what: string, items: ResourceSchema): ListSchema => ({
  type: "array",
  description: `The caller's ${what}, newest first.`,
  items,
  maxItems: 5,
});

export const Dashboard = resource("What the caller has and uses.", {
  stats: DashboardStats,
  recent_spots: newest("spots", RecentSpot),
  recent_claims: newest("claims", RecentClaim),
});
