/** A column, and how it compares with the value of a filter. */
export interface Comparison {
  readonly column: string;
  readonly operator: "=" | "<" | ">=";
}

/** The filters that are not a column of the same name. All comparisons of a filter must hold. */
export const dateFilters: Readonly<Record<string, readonly Comparison[]>> = {
  start_date: [{ column: "start_time", operator: ">=" }],
  end_date: [
    { column: "end_time", operator: "<" },
    // It follows from the other; with it the scan of an index stops.
    { column: "start_time", operator: "<" },
  ],
};

/** What a filter means, in REST and GraphQL. */
export const comparisonsOf = (filter: string): readonly Comparison[] =>
  dateFilters[filter] ?? [{ column: filter, operator: "=" }];
