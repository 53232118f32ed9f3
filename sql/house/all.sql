/*
 * The rules of this building, which other buildings do not have. A rule is written as in
 * sql/<thing>/rules: one named constraint, index, trigger or policy in a file of its name, with the
 * message in its comment. This list includes it; a function that it needs stands before it, in a
 * file of its own. Beside it <rule>.test.sql tests it, which `npm test` runs. The project's own tests
 * run without these rules. docs/dba.md shows one from end to end.
 */
