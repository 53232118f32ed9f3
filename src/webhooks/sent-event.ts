/** An event, as it goes out. */
export interface SentEvent {
  readonly type: string;
  readonly timestamp: string;
  /** What it happened to, as the interface shows it. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a message for people says beside the event. */
export interface Place {
  readonly building: string;
  readonly timeZone: string;
  readonly spotNumber?: string | undefined;
}
