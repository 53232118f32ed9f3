import type { Span } from "./recorded.ts";
import type { Effect, Happening } from "./spot-effects.ts";
import { contains, isClaimed, type SpotState, type WindowState } from "./spot-state.ts";

/** Times in UTC sort as text. */
const ALL: Span = { start: "", end: "\uffff" };
const latest = (a: string, b: string): string => (a > b ? a : b);
const earliest = (a: string, b: string): string => (a < b ? a : b);

const changed = (subject: string, { start }: Span): Happening => ({
  type: "availability.updated",
  subject,
  start,
});

/** The free pieces of this origin that begin or end where this span ends or begins. */
const beside = (state: SpotState, origin: string | undefined, { start, end }: Span) =>
  Object.entries(state.windows).filter(
    ([id, piece]) =>
      origin !== undefined &&
      piece.origin === origin &&
      (piece.end === start || piece.start === end) &&
      !isClaimed(state, id),
  );

/** A window takes from the free pieces beside it what is wanted. */
export function joined(state: SpotState, id: string, wanted = ALL): Effect {
  const window = state.windows[id];
  if (window === undefined) return { state, happenings: [] };
  const windows: Record<string, WindowState> = { ...state.windows };
  const gone: string[] = [];
  const happenings: Happening[] = [];
  let { start, end } = window;

  for (const [other, piece] of beside(state, window.origin, window)) {
    const isBefore = piece.end === window.start;
    const from = isBefore ? latest(piece.start, wanted.start) : piece.start;
    const to = isBefore ? piece.end : earliest(piece.end, wanted.end);
    if (from >= to) continue;
    start = earliest(start, from);
    end = latest(end, to);
    if (from === piece.start && to === piece.end) {
      gone.push(other);
      delete windows[other];
      happenings.push({ type: "availability.joined", subject: other });
    } else {
      windows[other] = { ...piece, ...(isBefore ? { end: from } : { start: to }) };
      happenings.push(changed(other, windows[other]));
    }
  }
  if (happenings.length === 0) return { state, happenings };
  windows[id] = { ...window, start, end };
  return {
    state: {
      ...state,
      windows,
      joined: {
        ...state.joined,
        ...Object.fromEntries(gone.map((it) => [it, window.origin ?? ""])),
      },
      claims: Object.fromEntries(
        Object.entries(state.claims).map(([claim, row]) => [
          claim,
          gone.includes(row.window) ? { ...row, window: id } : row,
        ]),
      ),
    },
    happenings: [...happenings, changed(id, windows[id])],
  };
}

/** A claimed window keeps this span, and the rest is on offer. */
export function cut(
  state: SpotState,
  id: string,
  { start, end }: Span,
  idOfRest: (rest: Span) => string,
): Effect {
  const window = state.windows[id];
  if (window === undefined || (window.start === start && window.end === end)) {
    return { state, happenings: [] };
  }
  const origin = window.origin ?? `${id} ${start}`;
  const windows: Record<string, WindowState> = { ...state.windows, [id]: { start, end, origin } };
  const happenings = [changed(id, { start, end })];
  const rests = [
    { start: window.start, end: start },
    { start: end, end: window.end },
  ];
  for (const rest of rests.filter((it) => it.start < it.end)) {
    const [[neighbour, piece] = []] = beside({ ...state, windows }, origin, rest);
    if (neighbour !== undefined && piece !== undefined) {
      windows[neighbour] = {
        start: earliest(piece.start, rest.start),
        end: latest(piece.end, rest.end),
        origin,
      };
      happenings.push(changed(neighbour, windows[neighbour]));
    } else {
      const made = idOfRest(rest);
      windows[made] = { ...rest, origin };
      happenings.push({ type: "availability.created", subject: made, start: rest.start });
    }
  }
  return { state: { ...state, windows }, happenings };
}

/** The free piece that has this span, of the same origin as the window, which may be gone. */
export function pieceFor(state: SpotState, window: string, span: Span): string {
  const origin = state.windows[window]?.origin ?? state.joined[window];
  const [found] = Object.entries(state.windows).find(
    ([id, piece]) =>
      origin !== undefined &&
      piece.origin === origin &&
      contains(piece, span) &&
      !isClaimed(state, id),
  ) ?? [window];
  return found;
}
