/**
 * The messages of PostgreSQL's protocol that a flight is made of. Each is its type, its length and
 * its body; a name or a text in it ends with a zero byte.
 * https://www.postgresql.org/docs/18/protocol-message-formats.html
 */

/** Makes a statement out of a text. PostgreSQL finds the types of its values by itself. */
export const parse = (name: string, text: string): Buffer => message("P", `${name}\0${text}\0\0\0`);

/** Forgets a statement; it is no error if there is none. */
export const close = (name: string): Buffer => message("C", `S${name}\0`);

/** Gives a statement its values, as text; what it returns is text as well. */
export function bind(name: string, values: readonly (string | null)[]): Buffer {
  const lengths = values.map((value) => (value === null ? 0 : Buffer.byteLength(value)));
  const nameLength = Buffer.byteLength(name);
  const length = lengths.reduce((sum, it) => sum + 4 + it, 12 + nameLength);
  const it = Buffer.alloc(1 + length);
  it.write("B");
  it.writeInt32BE(length, 1);
  it.write(name, 6); // after the name of the result, which is empty
  let offset = 9 + nameLength; // after the number of formats: none, everything is text
  offset = it.writeInt16BE(values.length, offset);
  for (const [i, value] of values.entries()) {
    offset = it.writeInt32BE(value === null ? -1 : (lengths[i] ?? 0), offset);
    if (value !== null) offset += it.write(value, offset);
  }
  return it;
}

/** Runs the statement that was bound last, for all its rows. */
export const execute = message("E", "\0\0\0\0\0");

/** Ends the transaction: commits it, or rolls it back when a message before it failed. */
export const sync = message("S", "");

function message(type: string, body: string): Buffer {
  const length = 4 + Buffer.byteLength(body);
  const it = Buffer.alloc(1 + length);
  it.write(type);
  it.writeInt32BE(length, 1);
  it.write(body, 5);
  return it;
}
