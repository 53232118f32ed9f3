const begun = new Set<string>();

/**
 * Undoes the thing with this id, unless that was done or is in progress. A second tap, or the same
 * action in a toast and in a row, would find nothing to undo. A failed undo can be tried again.
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
