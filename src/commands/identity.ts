/**
 * `npm run identity -- move`: moves the people of a building from the sign-in by mail to another
 * identity provider, or back. They keep their accounts, and are known by their addresses.
 */
import { readFile } from "node:fs/promises";
import { readConfig } from "../config/config.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { isEmail } from "../formats.ts";
import { asOwner } from "./owner.ts";
import { runCommand, wrongUsage } from "./run-command.ts";

const usage = "npm run identity -- move mail | move provider <file of lines: address,sub>";

interface Moved {
  readonly address: string;
  readonly subject: string;
}

await runCommand(usage, async ([command, to, file, ...others]) => {
  if (command !== "move" || others.length > 0) wrongUsage();
  if (to === "mail" && file === undefined) {
    const left = await move("select private.move_to_mail() as address", []);
    console.log("People sign in by mail from now on. Set SIGN_IN=mail and start the service.");
    report("Not moved, because their address was never confirmed", left);
  } else if (to === "provider" && file !== undefined) {
    const people = JSON.stringify(peopleIn(await readFile(file, "utf8")));
    const left = await move("select private.move_to_provider($1) as address", [people]);
    console.log(
      "People sign in with the identity provider from now on. Set AUTH_ISSUER and start the service.",
    );
    report("Not moved, because the file does not name them", left);
  } else wrongUsage();
});

async function move(sql: string, values: readonly unknown[]): Promise<readonly string[]> {
  return asOwner(readConfig(process.env), async (client) => {
    const { rows } = await client.query<{ address: string }>(sql, [...values]);
    return rows.map(({ address }) => address);
  });
}

function report(heading: string, addresses: readonly string[]): void {
  if (addresses.length > 0) console.log([`${heading}:`, ...addresses].join("\n  "));
}

/** Such as what `kcadm.sh get users --fields email,id --format csv` prints. */
function peopleIn(text: string): readonly Moved[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.flatMap((line, i) => {
    if (line === "") return [];
    const [address = "", subject = "", ...others] = line
      .split(",")
      .map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
    if (!isEmail(address) || subject === "" || others.length > 0)
      throw new OperatorError(`Line ${i + 1} is no address and sub with a comma between: ${line}`);
    return [{ address, subject }];
  });
}
