import { type Failure, type Person, requestJson } from "./person.ts";

/** Sends a POST with an Idempotency-Key to a service. */
export const postWithKey = (
  origin: string,
  { token }: Pick<Person, "token">,
  path: string,
  key: string,
  body: unknown,
) =>
  requestJson<Failure>(origin, "POST", `/api${path}`, {
    token,
    body,
    headers: { "Idempotency-Key": key },
  });

/** What matters of the answer: its status, whether it is a repetition, and who refused. */
export const outcomeOf = async (answer: ReturnType<typeof postWithKey>): Promise<string> => {
  const { status, headers } = await answer;
  const replayed = headers.has("Idempotent-Replayed") && "again";
  return [status, replayed, headers.get("X-Error-Code")].filter(Boolean).join(" ");
};
