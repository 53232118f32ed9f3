/** The points allowed in a window. The first charge opens the window; later ones do not move its end. */
export interface Limit {
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

/** What a key has left in its window. */
export interface Standing {
  readonly limit: number;
  readonly remaining: number;
  /** By performance.now(), which nobody sets as they set a machine's clock. */
  readonly endsAt: number;
  /** Whether more was charged than was left. */
  readonly isExceeded: boolean;
}

export type Standings = readonly Standing[];

/** Counts the points of each key. A charge is one atomic step, so none is lost. */
export interface Counter {
  /**
   * Charges one window after the other, until one has too little left. So a request that the minute
   * refuses is not charged to the hour: a client that keeps sending loses the minute and no more.
   * The other windows are only looked at: Retry-After must cover every full one.
   *
   * @param limits the shortest first, in one order for all requests of a key
   * @returns of the windows that are open
   */
  charge(limits: readonly Limit[], key: string, points: number): Standings | Promise<Standings>;
}

export const standingOf = ({ points }: Limit, charged: number, endsAt: number): Standing => ({
  limit: points,
  remaining: Math.max(0, points - charged),
  endsAt,
  isExceeded: charged > points,
});
