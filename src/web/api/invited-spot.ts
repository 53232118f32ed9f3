/** A spot in an invitation. After the invitation was accepted, it has the result. */
export interface InvitedSpot {
  readonly spot_number: string;
  readonly building_section: string;
  /** The spot that was registered. */
  readonly spot_id?: string;
  /** The rule that refused the spot. */
  readonly refused_by?: string;
}
