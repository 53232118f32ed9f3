/** A spot in an invitation. Of an accepted one it has what became of it. */
export interface InvitedSpot {
  readonly spot_number: string;
  readonly building_section: string;
  /** The spot that was registered. */
  readonly spot_id?: string;
  /** The rule that refused it. */
  readonly refused_by?: string;
}
