const HEADER_LENGTH = 5;

/** Cuts what PostgreSQL sends into messages, of which only the types matter here. */
export function messageReader(onMessage: (type: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    while (bytes.length - start >= HEADER_LENGTH) {
      const end = start + 1 + bytes.readInt32BE(start + 1); // the length leaves out the type
      if (end > bytes.length) break;
      onMessage(String.fromCharCode(bytes[start] ?? 0));
      start = end;
    }
    rest = bytes.subarray(start);
  };
}

export const READY = "Z";
export const ERROR = "E";
