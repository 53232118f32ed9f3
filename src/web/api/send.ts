import { settings } from "../settings.ts";
import { parsed } from "../storage.ts";
import { setClock } from "../time/now.ts";
import { watchSilence } from "./silence.ts";

/** An answer of the API, all of which has come. */
export interface Answered {
  readonly response: Response;
  /** Undefined where that of a failure cannot be read, as that of a proxy. */
  readonly body: unknown;
}

/** The service takes less for an answer. A browser would wait for minutes where the signal dies, in milliseconds. */
export const SILENCE = 20_000;

/** @throws where no answer comes, or not all of it: what breaks off says nothing */
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

/** A slow network may take long for all of it, as long as it goes on. */
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
