import type { Named, Statement } from "./statements.ts";

/** The tags that the first lines of a comment may be, and what may follow each. */
const tags: Readonly<Record<Named["kind"], Readonly<Record<string, RegExp>>>> = {
  rule: { status: /^4\d\d$/, field: /^\w+$/ },
  table: { absent: /./ },
  view: { absent: /./ },
  function: {},
};

/** Comments that are missing, and tags that would be read as part of a message or not at all. */
export function commentProblems(statements: readonly Statement[]): readonly string[] {
  const made = statements.flatMap(({ makes }) => makes).filter(({ kind }) => kind !== "rule");
  const silent = made.filter((object) => !hasComment(object, statements));
  return [
    ...silent.map(({ kind, name }) => `the ${kind} ${name} has no comment`),
    ...statements.flatMap(({ comments }) => (comments === undefined ? [] : tagProblems(comments))),
  ];
}

export const hasComment = ({ kind, name }: Named, statements: readonly Statement[]): boolean =>
  statements.some(
    ({ comments }) =>
      comments?.on?.kind === kind && comments.on.name === name && messageOf(comments.text) !== "",
  );

const messageOf = (comment: string): string => comment.replace(/^(@.*(\n|$))+/, "").trim();

function tagProblems({ on, text }: NonNullable<Statement["comments"]>): readonly string[] {
  const lines = /^(@.*(\n|$))*/.exec(text)?.[0].trimEnd().split("\n") ?? [];
  const known = on === undefined ? {} : tags[on.kind];
  const name = on?.name ?? "a comment";
  return lines
    .filter((line) => line !== "")
    .flatMap((line) => {
      const [, tag = "", value = ""] = /^@(\S*) ?(.*)$/.exec(line) ?? [];
      const format = Object.hasOwn(known, tag) ? known[tag] : undefined;
      if (format === undefined) return [`the comment on ${name} has the unknown tag @${tag}`];
      return format.test(value) ? [] : [`the comment on ${name} has a wrong value: ${line}`];
    });
}
