/** An event in the form in which it is sent. */
export interface SentEvent {
  readonly type: string;
  readonly timestamp: string;
  /** The subject of the event, as the API shows it. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a message for people contains in addition to the event. */
export interface Place {
  readonly building: string;
  readonly timeZone: string;
  readonly spotNumber?: string | undefined;
}
