/**
 * Spreadsheets write UTF-8 or UTF-16 ("Unicode text"), with or without a byte order mark, or the
 * old Windows code page, whose umlauts are not valid UTF-8. Only UTF-16 contains zero bytes: half
 * of each separator is one.
 */
export function textOfFile(bytes: ArrayBuffer): string {
  const all = new Uint8Array(bytes);
  const mark = (all[0] ?? 0) * 256 + (all[1] ?? 0);
  const zeros = (place: number) =>
    all.filter((it, index) => it === 0 && index % 2 === place).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if (mark === 0xfeff || even > odd) return new TextDecoder("utf-16be").decode(bytes);
  if (mark === 0xfffe || odd > 0) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
