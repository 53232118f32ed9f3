import { settings } from "../settings.ts";
import { parsed } from "../storage.ts";
import { setClock } from "../time/now.ts";

export interface Answered {
  readonly response: Response;
  /** Undefined if the body of a failure cannot be read, such as that of a proxy. */
  readonly body: unknown;
}

/** In milliseconds. The service answers sooner. Without a network, browsers wait for minutes. */
export const SILENCE = 20_000;

/** @throws if no answer comes, or only a part of it, which means nothing */
export async function send(path: string, request: RequestInit): Promise<Answered> {
  const { signal, heard, end } = watchSilence(SILENCE);
  try {
    const askedAt = Date.now();
    const response = await fetch(settings.basePath + path, { ...request, signal });
    setClock(response, askedAt);
    const text = await textOf(response, heard);
    const isFile = response.headers.get("Content-Type")?.startsWith("text/");
    if (isFile) return { response, body: text };
    return { response, body: response.ok ? JSON.parse(text) : parsed(text) };
  } finally {
    end();
  }
}

/** On a slow network the whole answer may take long, as long as parts of it arrive. */
async function textOf({ body }: Response, heard: () => void): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    heard();
    const piece = await reader?.read();
    if (piece?.value === undefined) return text;
    text += piece.value;
  }
}

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
