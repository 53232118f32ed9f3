import { createHmac } from "node:crypto";

/** Base64 with padding, for at least one byte. */
const SECRET =
  /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==))$/;

/**
 * The headers of Standard Webhooks. Each attempt has its own time. Otherwise receivers would think
 * that a late attempt is a recorded one. While a secret is being replaced, both secrets sign.
 */
export function signedHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  now: Date,
): Readonly<Record<string, string>> {
  const timestamp = Math.floor(now.getTime() / 1000);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets
      .map((secret) => `v1,${signature(`${id}.${timestamp}.${body}`, secret)}`)
      .join(" "),
  };
}

function signature(text: string, secret: string): string {
  const [, key = ""] = SECRET.exec(secret) ?? [];
  if (key === "") throw new Error("a secret must be whsec_ and base64");
  return createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64");
}
