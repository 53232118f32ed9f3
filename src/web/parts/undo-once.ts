const begun = new Set<string>();

/**
 * Undoes what has this id, unless that is being done or was: a second tap, or a toast beside a row that
 * offers the same, would find nothing left to undo. What did not work can be tried again.
 */
export async function undoOnce(id: string, undo: () => Promise<boolean>): Promise<void> {
  if (begun.has(id)) return;
  begun.add(id);
  let isDone = false;
  try {
    isDone = await undo();
  } finally {
    if (!isDone) begun.delete(id);
  }
}
