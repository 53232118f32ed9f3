import { basename } from "node:path";
import { hasComment } from "./comments.ts";
import type { Statement } from "./statements.ts";

/** A file of rules/ makes one rule, which has the file's name and a comment. So does one of house/. */
export function ruleProblems(file: string, statements: readonly Statement[]): readonly string[] {
  const rules = statements.flatMap(({ makes }) => makes).filter(({ kind }) => kind === "rule");
  if (!/^sql\/([^/]+\/rules|house)\//.test(file)) {
    const commented = rules.filter((rule) => hasComment(rule, statements));
    return commented.map(({ name }) => `the rule ${name} has no file of its own in rules/`);
  }
  // A primary key is made with its table; its file gives it the comment that makes it a rule.
  const commented = statements.flatMap(({ comments }) => comments?.on ?? []);
  const [rule = commented.find(({ kind }) => kind === "rule"), ...others] = rules;
  if (rule === undefined) {
    // A rule of the house may need a function, which stands beside it in a file of its own.
    return file.startsWith("sql/house/") ? [] : ["makes no constraint, index, trigger or policy"];
  }
  const { name } = rule;
  const problems: string[] = [];
  if (others.length > 0) {
    problems.push(`makes more than one rule: ${rules.map((each) => each.name).join(", ")}`);
  }
  if (!/^[a-z0-9_]+$/.test(name))
    problems.push(`the rule ${name} is not named in a to z, 0 to 9 and _`);
  if (basename(file, ".sql") !== name)
    problems.push(`the rule ${name} is not in a file of its name`);
  if (!hasComment(rule, statements)) problems.push(`the rule ${name} has no comment`);
  return problems;
}
