import { changed, type Topic } from "./live.ts";
import { ApiProblem, Unreachable } from "./problem.ts";

/** What a command changes beside what its path names. */
const others: Readonly<Record<string, readonly Topic[]>> = {
  building: ["reports"],
  claims: ["availabilities", "notifications"],
  exceptions: ["availabilities"],
  invitations: ["profiles", "spots"],
  patterns: ["availabilities"],
  profiles: ["spots", "availabilities", "claims"],
  sections: ["building"],
  spots: ["availabilities", "claims"],
  wishes: ["notifications"],
};

function readAgain(path: string): void {
  const [, thing = "", , part] = path.replace(/^\/admin|parking-|\?.*/g, "").split("/");
  if (part === "access") changed("spotAccess");
  else changed(thing as Topic, ...(others[thing] ?? []));
}

/**
 * Sends a command, after which the page reads again what it has changed. After a lost answer it may
 * have changed something, and after some refusals somebody else has.
 */
export function withEffects<Answer>(path: string, sent: Promise<Answer>): Promise<Answer> {
  const isOver = (error: unknown) =>
    error instanceof ApiProblem ? [404, 409].includes(error.status) : error instanceof Unreachable;
  if (!path.endsWith("/preview"))
    sent.then(
      () => readAgain(path),
      (error) => isOver(error) && readAgain(path),
    );
  return sent;
}
