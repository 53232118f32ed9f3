import createClient from "openapi-fetch";
import type { paths } from "./schema.d.ts";

const api = createClient<paths>({
  baseUrl: "http://127.0.0.1:3000/api",
  headers: { Authorization: `Bearer ${process.env.TOKEN}` },
});
const { data, error } = await api.GET("/availabilities", {
  params: { query: { is_claimed: false } },
});
if (error) console.log(error.error);
else for (const { id, start_time } of data.availabilities) console.log(id, start_time);
