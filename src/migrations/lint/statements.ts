import { hasSqlDetails, parse } from "libpg-query";

type Parsed = NonNullable<Awaited<ReturnType<typeof parse>>["stmts"]>[number];
type Node = NonNullable<Parsed["stmt"]>;

/** What a statement creates or comments on. */
export interface Named {
  readonly kind: "rule" | "table" | "view" | "function";
  /** The name without the schema. */
  readonly name: string;
}

export interface Statement {
  /** The text without the comments before it. */
  readonly text: string;
  /** The start in the whole text: the number of characters before it, and its line. */
  readonly start: number;
  readonly line: number;
  readonly makes: readonly Named[];
  readonly comments?: { readonly on: Named | undefined; readonly text: string } | undefined;
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
  return stmts.map(({ stmt, stmt_location = 0, stmt_len = bytes.length }) => {
    const whole = bytes.toString("utf8", stmt_location, stmt_location + stmt_len);
    // The comments before a statement may be in the file before it.
    const lead = /^(\s|--.*\n|\/\*[\s\S]*?\*\/)*/.exec(whole)?.[0].length ?? 0;
    const start = bytes.toString("utf8", 0, stmt_location).length + lead;
    return {
      text: whole.slice(lead),
      start,
      line: linesIn(sql.slice(0, start)),
      makes: stmt === undefined ? [] : madeBy(stmt),
      comments: stmt !== undefined && "CommentStmt" in stmt ? commentOf(stmt) : undefined,
    };
  });
}

const linesIn = (text: string): number => text.split("\n").length;

function madeBy(stmt: Node): readonly Named[] {
  if ("CreateStmt" in stmt)
    return [{ kind: "table", name: stmt.CreateStmt.relation?.relname ?? "" }];
  if ("ViewStmt" in stmt) return [{ kind: "view", name: stmt.ViewStmt.view?.relname ?? "" }];
  if ("CreateFunctionStmt" in stmt) {
    return [{ kind: "function", name: lastOf(stmt.CreateFunctionStmt.funcname) }];
  }
  if ("AlterTableStmt" in stmt) return (stmt.AlterTableStmt.cmds ?? []).flatMap(constraintOf);
  if ("AlterDomainStmt" in stmt) return constraintIn(stmt.AlterDomainStmt.def);
  if ("IndexStmt" in stmt && stmt.IndexStmt.unique) return [rule(stmt.IndexStmt.idxname)];
  if ("CreateTrigStmt" in stmt) return [rule(stmt.CreateTrigStmt.trigname)];
  if ("CreatePolicyStmt" in stmt) return [rule(stmt.CreatePolicyStmt.policy_name)];
  return [];
}

function constraintOf(command: Node): readonly Named[] {
  const added = "AlterTableCmd" in command ? command.AlterTableCmd : undefined;
  return added?.subtype === "AT_AddConstraint" ? constraintIn(added.def) : [];
}

const constraintIn = (def: Node | undefined): readonly Named[] =>
  def !== undefined && "Constraint" in def ? [rule(def.Constraint.conname)] : [];

const rule = (name: string | undefined): Named => ({ kind: "rule", name: name ?? "" });

const kinds: Readonly<Record<string, Named["kind"]>> = {
  OBJECT_TABCONSTRAINT: "rule",
  OBJECT_DOMCONSTRAINT: "rule",
  OBJECT_INDEX: "rule",
  OBJECT_TRIGGER: "rule",
  OBJECT_POLICY: "rule",
  OBJECT_TABLE: "table",
  OBJECT_VIEW: "view",
  OBJECT_FUNCTION: "function",
};

function commentOf(stmt: Extract<Node, { CommentStmt: unknown }>): Statement["comments"] {
  const { objtype = "", object, comment: text = "" } = stmt.CommentStmt;
  const kind = kinds[objtype];
  return { on: kind && { kind, name: object === undefined ? "" : nameOf(object) }, text };
}

function nameOf(object: Node): string {
  if ("ObjectWithArgs" in object) return lastOf(object.ObjectWithArgs.objname);
  return "List" in object ? lastOf(object.List.items) : "";
}

/** The last part of a qualified name. */
function lastOf(names: readonly Node[] = []): string {
  const last = names.at(-1);
  return last !== undefined && "String" in last ? (last.String.sval ?? "") : "";
}
