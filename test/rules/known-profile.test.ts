import { describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { tryWithClaims } from "./support.ts";

const building = useBuilding();

const EMAIL = "maria@old.example";
const CONFIRMED = "2026-02-03T04:05:06.789Z";
const [EARLY, LATE] = [1_770_000_000, 1_780_000_000.5];

/** What is stored, and what a token says. */
const STATES = [
  { email: EMAIL, at: null, erased: false, issued: null },
  { email: EMAIL, at: CONFIRMED, erased: false, issued: LATE },
  { email: "maria@erased.invalid", at: CONFIRMED, erased: true, issued: null },
] as const;
const TOKENS: readonly object[] = [
  {},
  { email: null },
  { email: EMAIL },
  { email: "Maria@old.example" },
  { email: "maria@new.example" },
  { email: "not an address" },
  { email: "" },
].flatMap((token) => [
  token,
  { ...token, email_verified: true },
  { ...token, email_verified: false },
  { ...token, email_verified: "true" },
  { ...token, email_confirmed_at: CONFIRMED },
  { ...token, email_confirmed_at: "2026-02-03T05:05:06.78912+01:00" },
  { ...token, email_confirmed_at: null, email_verified: true },
  { ...token, is_approved: false },
  { ...token, is_approved: true, is_admin: true },
  { ...token, is_admin: false },
  ...[EARLY, LATE].map((iat) => ({ ...token, is_approved: false, iat })),
]);

describe("api.get_known_profile", () => {
  it.each(STATES)("shows what api.get_profile would, or nothing: %o", async (state) => {
    for (const token of TOKENS) {
      const { id } = await building.resident();
      const email = `${id}@${state.email}`.replace("maria@", "");
      await building.rows(
        `update private.users
            set email = $2, email_confirmed_at = $3, erased_at = $4, token_issued_at = to_timestamp($5)
          where id = $1`,
        [id, email, state.at, state.erased ? CONFIRMED : null, state.issued],
      );
      const said = JSON.parse(JSON.stringify(token).replace(/maria@/gi, `${id}@`));
      const seen = await tryWithClaims(
        building,
        JSON.stringify({ sub: id, ...said }),
        async (client) => {
          const version = async () =>
            (
              await client.query(
                "select api.get_user()::text as user, p::text as profile from parking.profiles p where id = $1",
                [id],
              )
            ).rows[0];
          const before = await version();
          const known = await client.query("select p::text from api.get_known_profile() p");
          await client.query("savepoint known");
          const asked = await client
            .query("select p::text from api.get_profile() p")
            .catch(() => client.query("rollback to known").then(() => ({ rows: ["refused"] })));
          const after = await version();
          return {
            known: known.rows,
            asked: asked.rows,
            isNew: JSON.stringify(before) !== JSON.stringify(after),
          };
        },
      );
      const isRefused = seen.asked[0] === "refused";
      expect([token, seen.known]).toEqual([token, seen.isNew || isRefused ? [] : seen.asked]);
    }
  });

  it("shows nothing, and counts nothing, without a caller", async () => {
    const { id } = await building.resident();
    for (const claims of ["", "{}", "[]", "1", '{"sub":"x"}', `{"sub":["${id}"]}`, "no json"]) {
      expect(
        await tryWithClaims(building, claims, async (client) => [
          (await client.query("select from api.get_known_profile()")).rowCount,
          (await client.query("select private.total_claims() as n")).rows[0].n,
        ]),
      ).toEqual([0, "0"]);
    }
  });
});
