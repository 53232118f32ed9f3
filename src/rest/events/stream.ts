import type { ServerResponse } from "node:http";

/** A stream that waits for more than this to be read gets no more, until it has been. */
const MOST_WAITING_BYTES = 256 * 1_024;
/** For a client to take what was sent before the end. */
const ENDING_MS = 5_000;

/** An answer that goes on. */
export interface Stream {
  readonly person: string;
  /** Its reader has, or will have, all that was for them up to this position. */
  position: number;
  /** It catches up by itself, and does not follow the others. */
  isBehind: boolean;
  readonly isOver: () => boolean;
  /** Whether too much waits to be read. */
  readonly isFull: () => boolean;
  readonly send: (text: string) => void;
  /** Where nothing was sent for so long. */
  readonly beat: (milliseconds: number) => void;
  /** Waits until all was read. @returns whether that was in time */
  readonly isReadWithin: (milliseconds: number) => Promise<boolean>;
  readonly end: () => void;
  /** Whatever waits to be read. */
  readonly destroy: () => void;
}

export function openStream(response: ServerResponse, person: string, position: number): Stream {
  let sentAt = performance.now();
  const isOver = () => response.writableEnded || response.destroyed;
  const send = (text: string): void => {
    if (isOver()) return;
    response.write(text);
    sentAt = performance.now();
  };
  const stream: Stream = {
    person,
    position,
    isBehind: false,
    isOver,
    isFull: () => response.writableLength > MOST_WAITING_BYTES,
    send,
    beat(milliseconds) {
      if (performance.now() - sentAt >= milliseconds && !stream.isBehind)
        send(heartbeatOf(stream.position));
    },
    async isReadWithin(milliseconds) {
      if (!response.writableNeedDrain) return true;
      const { promise: isRead, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(resolve, milliseconds, false);
      const read = () => resolve(true);
      response.once("drain", read).once("close", read);
      try {
        return await isRead;
      } finally {
        clearTimeout(timer);
        response.off("drain", read).off("close", read);
      }
    },
    end() {
      response.end();
      setTimeout(() => response.destroy(), ENDING_MS).unref();
    },
    destroy: () => response.destroy(),
  };
  send(RETRY + heartbeatOf(position));
  return stream;
}

/**
 * What every stream has at first, and now and then: readers and proxies hear that it lives, and who
 * connects again goes on from here, also where nothing was for them. It is no event. The comment is for
 * parsers that tell ids with events only.
 */
const heartbeatOf = (position: number): string =>
  position < 0 ? ":\n\n" : `: ${position}\nid: ${position}\n\n`;

/** How soon readers connect again, in milliseconds. */
const RETRY = "retry: 2000\n";
