import { correction, generate } from "lean-qr";
import { type Text, t } from "../../messages/translate.ts";

/** The margin that a scanner needs around a code, in squares. */
const MARGIN = 4;

/** A QR code as a drawing. Each row has a line for each run of dark squares. */
export function QrCode({ address }: { readonly address: Text }) {
  const code = generate(address, { minCorrectionLevel: correction.M });
  let path = "";
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      const start = x;
      while (code.get(x, y)) x++;
      if (x > start) path += `M${start} ${y}h${x - start}v1H${start}z`;
    }
  }
  const side = code.size + 2 * MARGIN;
  return (
    <svg
      class="qr"
      viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`}
      role="img"
      aria-label={t("signs.code", { address })}
    >
      <path d={path} />
    </svg>
  );
}
