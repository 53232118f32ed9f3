/** What a list is sorted by. Rows that are equal in it follow by id. */
export interface Order {
  readonly column: string;
  readonly direction: "asc" | "desc";
}

/** The order of each table's list, in REST and GraphQL. Indexes have it (`sql/<thing>/table.sql`). */
const orders: Readonly<Record<string, Order>> = {
  profiles: { column: "created_at", direction: "desc" },
  spots: { column: "spot_number", direction: "asc" },
  availabilities: { column: "start_time", direction: "asc" },
  claims: { column: "start_time", direction: "desc" },
  notifications: { column: "created_at", direction: "desc" },
};

export function orderOf(table = ""): Order {
  const order = orders[table];
  if (!order) throw new Error(`the list of ${table} has no order`);
  return order;
}
