import { describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { dashboardThatRuns } from "../support/dashboard.ts";

const SECRET = "somebody-elses@address.example";

const building = useBuilding({ connections: 2 });
const person = building.shared("resident");

const dashboardDoes = (statements: string) => building.rows(dashboardThatRuns(statements));

/** The answer as it is. The description has no such answers, so requestJson() would reject them. */
const dashboard = async (): Promise<{ status: number; body: unknown; whole: string }> => {
  const response = await fetch(`${building.service.origin}/api/dashboard`, {
    headers: { Authorization: `Bearer ${person.token}` },
  });
  const text = await response.text();
  const headers = [...response.headers].join("\n");
  return { status: response.status, body: JSON.parse(text), whole: `${headers}\n${text}` };
};

const raising = (sqlState: string): string =>
  `raise exception using
     errcode = '${sqlState}',
     message = 'duplicate key value violates relation "${SECRET}"',
     detail = 'Failing row contains (${SECRET}).',
     hint = 'Perhaps you meant ${SECRET}.',
     table = '${SECRET}',
     column = '${SECRET}',
     constraint = '${SECRET}';`;

describe("an unforeseen error", () => {
  it.each([
    ["0A000", 500, "Internal server error"],
    ["21000", 500, "Internal server error"],
    ["22012", 400, "Invalid data"],
    ["22P02", 400, "Invalid data"],
    ["23502", 400, "Invalid data"],
    ["23503", 400, "Invalid data"],
    ["23505", 409, "Conflicts with existing data"],
    ["23514", 400, "Invalid data"],
    ["23P01", 409, "Conflicts with existing data"],
    ["25P02", 500, "Internal server error"],
    ["39004", 500, "Internal server error"],
    ["42501", 403, "Insufficient permissions"],
    ["42601", 500, "Internal server error"],
    ["42883", 500, "Internal server error"],
    ["42P01", 500, "Internal server error"],
    ["53100", 503, "Service unavailable"],
    ["54001", 500, "Internal server error"],
    ["55P03", 503, "Service unavailable"],
    ["57014", 503, "Service unavailable"],
    ["58030", 500, "Internal server error"],
    ["P0001", 500, "Internal server error"],
    ["XX000", 500, "Internal server error"],
    ["XX001", 500, "Internal server error"],
    ["ZZ999", 500, "Internal server error"],
  ])("%s is %i %s, without words of PostgreSQL", async (sqlState, status, error) => {
    await dashboardDoes(raising(sqlState));
    const answer = await dashboard();
    expect(answer).toMatchObject({ status, body: { error } });
    expect(answer.whole).not.toMatch(new RegExp(`${SECRET}|violates|relation|${sqlState}`));
  });

  it.each([
    ["a division by zero", 400, "perform 1 / 0;"],
    ["a value of another type", 400, "perform 'x'::integer;"],
    ["a table that is not there", 500, "perform from parking.garages;"],
    ["a function that is not there", 500, "perform private.garage();"],
    ["a table without a grant", 403, "perform from private.users;"],
    ["an endless recursion", 500, "perform api.get_dashboard();"],
    ["an assertion that fails", 500, "assert false, 'made up';"],
  ])("%s is %i, without words of PostgreSQL", async (_what, status, statement) => {
    await dashboardDoes(statement);
    const answer = await dashboard();
    expect(answer.status).toBe(status);
    expect(answer.whole).not.toMatch(/zero|syntax|relation|function|denied|stack|made up/);
  });

  it.each(["PT200", "PT302", "PT600", "PTXYZ"])(
    "%s, which is no HTTP error, is 500",
    async (code) => {
      await dashboardDoes(`raise exception using errcode = '${code}', message = '${SECRET}';`);
      const answer = await dashboard();
      expect(answer).toMatchObject({ status: 500, body: { error: "Internal server error" } });
      expect(answer.whole).not.toContain(SECRET);
    },
  );

  it("does not harm the service", async () => {
    await dashboardDoes("total_spots := 7; return next;");
    expect(await dashboard()).toMatchObject({ status: 200, body: { stats: { total_spots: 7 } } });
  });
});
