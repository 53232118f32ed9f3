/** Waits so long, or until it is woken: the pause between two looks at the database. */
export async function pause(milliseconds: number, woken?: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, milliseconds);
  await Promise.race([over.promise, woken]);
  clearTimeout(timer);
}
