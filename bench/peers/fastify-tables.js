import { sql } from "drizzle-orm";
import { boolean, pgSchema, text, timestamp, uuid } from "drizzle-orm/pg-core";

const time = (name) => timestamp(name, { withTimezone: true, precision: 3 });
const parking = pgSchema("parking");
const stamps = {
  created_at: time("created_at").notNull().defaultNow(),
  updated_at: time("updated_at").notNull().defaultNow(),
};
const id = uuid("id").primaryKey().default(sql`uuidv7()`);

export const users = pgSchema("private").table("users", {
  id,
  email: text("email").notNull(),
  email_confirmed_at: time("email_confirmed_at"),
  ...stamps,
});
export const profiles = parking.table("profiles", {
  id,
  email: text("email").notNull(),
  full_name: text("full_name"),
  apartment_number: text("apartment_number").notNull(),
  phone_number: text("phone_number"),
  is_approved: boolean("is_approved").notNull(),
  is_admin: boolean("is_admin").notNull(),
  ...stamps,
});
export const spots = parking.table("spots", {
  id,
  spot_number: text("spot_number").notNull(),
  owner_id: uuid("owner_id").notNull(),
  building_section: text("building_section").notNull(),
  is_verified: boolean("is_verified").notNull(),
  ...stamps,
});
export const availabilities = parking.table("availabilities", {
  id,
  spot_id: uuid("spot_id").notNull(),
  owner_id: uuid("owner_id").notNull(),
  start_time: time("start_time").notNull(),
  end_time: time("end_time").notNull(),
  is_claimed: boolean("is_claimed").notNull().default(false),
  ...stamps,
});
export const claims = parking.table("claims", {
  id,
  availability_id: uuid("availability_id").notNull(),
  spot_id: uuid("spot_id").notNull(),
  owner_id: uuid("owner_id").notNull(),
  claimer_id: uuid("claimer_id").notNull(),
  start_time: time("start_time").notNull(),
  end_time: time("end_time").notNull(),
  status: text("status").notNull().default("active"),
  ...stamps,
});
export const notifications = parking.table("notifications", {
  id,
  recipient_id: uuid("recipient_id").notNull(),
  kind: text("kind").notNull(),
  message: text("message").notNull(),
  claim_id: uuid("claim_id"),
  availability_id: uuid("availability_id"),
  spot_id: uuid("spot_id"),
  is_read: boolean("is_read").notNull(),
  resolved_at: time("resolved_at"),
  ...stamps,
});
