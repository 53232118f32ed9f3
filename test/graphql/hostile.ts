/** A document that would keep the service or the database busy if it were executed. */
export interface Hostile {
  readonly what: string;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

const times = (count: number, part: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => part(i)).join(" ");

/** Each fragment spreads the next one `copies` times: `copies` to the power of `levels` fields. */
const spreads = (levels: number, copies: number, on: string, last: string): string =>
  `${times(levels, (i) => `fragment F${i} on ${on} { ${times(copies, () => `...F${i + 1}`)} }`)}
   fragment F${levels} on ${on} { ${last} }`;

const nested = (levels: number, [open, close]: readonly [string, string], leaf: string): string =>
  open.repeat(levels) + leaf + close.repeat(levels);

export const hostile: readonly Hostile[] = [
  {
    what: "twenty fragments, each spread twice",
    query: `{ spots { nodes { ...F0 } } } ${spreads(20, 2, "Spot", "id")}`,
  },
  {
    what: "fifty fragments, each spread three times, below aliases",
    query: `{ ...F0 } ${spreads(50, 3, "Query", "spots { nodes { id } }")}`,
  },
  {
    what: "fragments spread inside relations",
    query: `{ claims { nodes { ...F0 } } } ${times(
      8,
      (i) => `fragment F${i} on Claim { a: spot { claims { nodes { ...F${i + 1} } } }
        b: spot { claims { nodes { ...F${i + 1} } } } }`,
    )} fragment F8 on Claim { id }`,
  },
  {
    what: "1000 aliased counts",
    query: `{ ${times(1000, (i) => `a${i}: spots { totalCount }`)} }`,
  },
  {
    what: "100 aliased counts",
    query: `{ ${times(100, (i) => `a${i}: availabilities { totalCount }`)} }`,
  },
  { what: "30 aliased counts", query: `{ ${times(30, (i) => `a${i}: spots { totalCount }`)} }` },
  {
    what: "600 fields of one row",
    query: `{ ownProfile { ${times(600, () => "id")} } }`,
  },
  {
    what: "100 lists of one row",
    query: `{ ownProfile { ${times(100, (i) => `a${i}: spots(first: 1) { nodes { id } }`)} } }`,
  },
  {
    what: "60 different groupings of one list",
    query: `{ availabilities { ${times(
      60,
      (i) => `a${i}: groupedAggregates(groupBy: [DAY]) { keys count }`,
    )} } }`,
  },
  { what: "a list too long", query: "{ spots(first: 201) { nodes { id } } }" },
  {
    what: "a list too long by a variable",
    query: "query($n: Int!) { spots(first: $n) { nodes { id } } }",
    variables: { n: 100_000 },
  },
  {
    what: "a list too long by a variable's default",
    query: "query($n: Int! = 100000) { spots(first: $n) { nodes { id } } }",
  },
  {
    what: "a list without end, its length being null",
    query: "query($n: Int) { spots(first: $n) { nodes { id } } }",
    variables: { n: null },
  },
  { what: "a list of negative length", query: "{ spots(first: -1) { nodes { id } } }" },
  { what: "the far end of a list", query: "{ spots(offset: 1000001) { nodes { id } } }" },
  {
    what: "lists in lists",
    query: `{ spots(first: 200) { nodes { availabilities(first: 200) { nodes { id } } } } }`,
  },
  {
    what: "short lists, nested deep",
    query: `{ claims(first: 1) { nodes { ${nested(
      20,
      ["spot { claims(first: 1) { nodes { ", "} } }"],
      "id ",
    )} } } }`,
  },
  {
    what: "a nesting of 900 levels",
    query: nested(900, ["{ node(nodeId: 1) ", "}"], "{ nodeId }"),
  },
  {
    what: "800 fields of one name, which validation compares with each other",
    query: `{ ${times(800, () => "ownProfile { id }")} }`,
  },
  {
    what: "230 rows of one name",
    query: `{ ${times(230, () => "ownProfile { id }")} }`,
  },
  {
    what: "600 directives",
    query: `{ ownProfile { id ${times(600, () => "@include(if: true)")} } }`,
  },
  { what: "10,000 tokens", query: `{ ${times(10_000, () => "a")} }` },
  {
    what: "an endless order",
    query: `{ spots(orderBy: [${times(400, () => "ID_ASC")}]) { nodes { id } } }`,
  },
  {
    what: "an endless order by a variable",
    query: "query($o: [SpotOrderBy!]) { spots(orderBy: $o) { nodes { id } } }",
    variables: { o: Array(5000).fill("ID_ASC") },
  },
  {
    what: "fragments that spread each other",
    query: "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }",
  },
  {
    what: "a schema read in circles",
    query: `{ __schema { types { ${nested(5, ["fields { type { ", "} }"], "name ")} } } }`,
  },
  {
    what: "the schema, read 100 times",
    query: `{ ${times(100, (i) => `a${i}: __schema { types { fields { args { name } } } }`)} }`,
  },
  {
    what: "a second operation, not asked for",
    query: `query A { ownProfile { id } } query B { ...F0 } ${spreads(20, 2, "Query", "__typename")}`,
  },
  {
    what: "100 mutations",
    query: `mutation { ${times(
      100,
      (i) => `a${i}: deleteClaim(input: { id: "${crypto.randomUUID()}" }) { message }`,
    )} }`,
  },
];
