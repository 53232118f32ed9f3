import { hasSqlDetails, parse } from "libpg-query";

export interface Statement {
  /** The text without the comments before it. */
  readonly text: string;
  /** The start in the whole text: the number of characters before it, and its line. */
  readonly start: number;
  readonly line: number;
}

/** SQL that PostgreSQL's own parser refuses. */
export class RefusedSql extends Error {
  readonly line: number;

  constructor(cause: unknown, line: number) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.line = line;
  }
}

/**
 * The statements of a text, as PostgreSQL's own parser reads them.
 * @throws RefusedSql
 */
export async function statementsOf(sql: string): Promise<readonly Statement[]> {
  if (sql.trim() === "") return []; // current.sql may be empty
  const bytes = Buffer.from(sql); // the parser counts in bytes
  const { stmts = [] } = await parse(sql).catch((error: unknown) => {
    const { cursorPosition = 0 } = (hasSqlDetails(error) && error.sqlDetails) || {};
    throw new RefusedSql(error, linesIn(sql.slice(0, cursorPosition)));
  });
  return stmts.map(({ stmt_location = 0, stmt_len = bytes.length }) => {
    const whole = bytes.toString("utf8", stmt_location, stmt_location + stmt_len);
    // The comments before a statement may be in the file before it.
    const lead = /^(\s|--.*\n|\/\*[\s\S]*?\*\/)*/.exec(whole)?.[0].length ?? 0;
    const start = bytes.toString("utf8", 0, stmt_location).length + lead;
    return { text: whole.slice(lead), start, line: linesIn(sql.slice(0, start)) };
  });
}

const linesIn = (text: string): number => text.split("\n").length;
