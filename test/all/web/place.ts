import type { Locator } from "playwright-core";

/** The middle of a control, in sight, for a finger that presses there again without looking. */
export async function placeOf(control: Locator): Promise<{ x: number; y: number }> {
  // How far down it is depends on the lines of the texts above it: on the hour of the day, and on the font.
  await control.scrollIntoViewIfNeeded();
  const box = await control.boundingBox();
  if (box === null) throw new Error("there is nothing");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
