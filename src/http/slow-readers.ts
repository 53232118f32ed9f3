import type { RequestListener } from "node:http";
import type { Socket } from "node:net";

/** Browsers send one request at a time. */
const MOST_UNANSWERED = 10;

/**
 * Cuts off clients that do not read: each answer stays in memory until its client has taken it. So a
 * connection has few requests at a time, and each must be over some time after its arrival.
 */
export function cutSlowReaders(listener: RequestListener, milliseconds: number): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > MOST_UNANSWERED) {
      socket.destroy();
      return;
    }
    unanswered.set(socket, count);
    const patience = setTimeout(() => socket.destroy(), milliseconds).unref();
    response.once("close", () => {
      clearTimeout(patience);
      unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1);
    });
    listener(request, response);
  };
}
