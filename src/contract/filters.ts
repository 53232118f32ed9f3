/** A condition on a column. */
export interface Comparison {
  readonly column: string;
  /** The rest of the condition in SQL; `$` is the value of the filter. */
  readonly is: string;
}

type Filters = Readonly<Record<string, readonly Comparison[]>>;

const wholeSpans: Filters = {
  start_date: [{ column: "start_time", is: ">= $" }],
  end_date: [
    { column: "end_time", is: "< $" },
    // It follows from the other; with it the scan of an index stops.
    { column: "start_time", is: "< $" },
  ],
};

/** It follows from the others; with it the scan of an index does not begin years before. */
const openSince: Comparison = { column: "start_time", is: ">= (select private.open_since($))" };

const canBeClaimed: readonly Comparison[] = [
  { column: "is_claimed", is: "= false" },
  { column: "owner_id", is: "<> (select private.caller_id())" },
];

/** The filters that are not a column of the same name, by table. All comparisons of a filter must hold. */
export const derivedFilters: Readonly<Record<string, Filters>> = {
  availabilities: {
    ...wholeSpans,
    overlaps_start: [{ column: "end_time", is: "> $" }, openSince],
    overlaps_end: [{ column: "start_time", is: "< $" }],
    free_from: [
      { column: "start_time", is: "<= $" },
      { column: "end_time", is: "> $" },
      openSince,
      ...canBeClaimed,
    ],
    free_until: [
      { column: "start_time", is: "< $" },
      { column: "end_time", is: ">= $" },
      openSince,
      ...canBeClaimed,
    ],
    building_section: [
      { column: "spot_id", is: "= any ((select private.spots_of_section($))::uuid[])" },
    ],
  },
  claims: wholeSpans,
};

/** What a filter of a table's list means, in REST and GraphQL. */
export const comparisonsOf = (table: string, filter: string): readonly Comparison[] =>
  derivedFilters[table]?.[filter] ?? [{ column: filter, is: "= $" }];
