/** Aborts a request when nothing of its answer has arrived for this number of milliseconds. */
export function watchSilence(most: number) {
  const watch = new AbortController();
  let silence: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => clearTimeout(silence);
  const heard = (): void => {
    end();
    silence = setTimeout(() => watch.abort(), most);
  };
  heard();
  return { signal: watch.signal, heard, end, abort: () => watch.abort() };
}
