/** What requests and answers look like: Fastify validates with it and compiles serialisers from it. */
const text = { type: "string" };
const flag = { type: "boolean" };
const count = { type: "integer" };
const id = { type: "string", format: "uuid" };
const time = { type: "string", format: "date-time" };
const orNull = (schema) => ({ ...schema, nullable: true });
const object = (properties) => ({ type: "object", properties });
const stamps = { created_at: time, updated_at: time };

export const spot = object({
  id,
  spot_number: text,
  owner_id: id,
  building_section: text,
  is_verified: flag,
  ...stamps,
});
export const availability = object({
  id,
  spot_id: id,
  start_time: time,
  end_time: time,
  is_claimed: flag,
  ...stamps,
});
export const claim = object({
  id,
  availability_id: id,
  claimer_id: id,
  start_time: time,
  end_time: time,
  status: text,
  ...stamps,
});
export const notification = object({
  id,
  kind: text,
  message: text,
  claim_id: orNull(id),
  availability_id: orNull(id),
  spot_id: orNull(id),
  is_read: flag,
  resolved_at: orNull(time),
  ...stamps,
});
const profile = object({
  id,
  email: text,
  full_name: orNull(text),
  apartment_number: text,
  phone_number: orNull(text),
  is_approved: flag,
  is_admin: flag,
  ...stamps,
});
const user = object({ id, email: text, email_confirmed_at: orNull(time), ...stamps });

export const answer = (properties, status = 200) => ({
  response: { [status]: object(properties) },
});
export const page = (name, items, filters = {}) => ({
  querystring: {
    ...object({
      limit: { type: "integer", minimum: 1, maximum: 200, default: 50 },
      offset: { type: "integer", minimum: 0, maximum: 1_000_000, default: 0 },
      ...filters,
    }),
    additionalProperties: false,
  },
  ...answer({ [name]: { type: "array", items }, total: count }),
});
export const spotFilters = { owner_id: id, building_section: text, is_verified: flag };
export const availabilityFilters = { spot_id: id, owner_id: id, is_claimed: flag };
export const claimFilters = { claimer_id: id, spot_id: id, status: text };
export const notificationFilters = { is_read: flag };
export const byId = { params: object({ id }) };
export const profileAnswer = answer({ profile, user });
export const dashboardAnswer = answer({
  stats: object({
    total_spots: count,
    active_spots: count,
    total_claims: count,
    active_claims: count,
  }),
  recent_spots: {
    type: "array",
    items: object({
      id,
      spot_number: text,
      building_section: text,
      is_verified: flag,
      created_at: time,
    }),
  },
  recent_claims: {
    type: "array",
    items: object({ id, spot_id: id, start_time: time, end_time: time, status: text }),
  },
});
const times = { start_time: time, end_time: time };
const body = (properties) => ({
  body: { ...object(properties), required: Object.keys(properties), additionalProperties: false },
});
export const newClaim = { ...body({ availability_id: id, ...times }), ...answer({ claim }, 201) };
export const newAvailability = {
  ...body({ spot_id: id, ...times }),
  ...answer({ availability }, 201),
};
