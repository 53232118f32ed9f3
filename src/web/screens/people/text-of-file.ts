/**
 * Spreadsheets write UTF-8 with or without a mark, UTF-16 ("Unicode text"), or the old code page of
 * Windows, in which umlauts are no UTF-8.
 */
export function textOfFile(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
