import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import type { Invitation } from "../../support/invitations.ts";
import { registerSpot } from "./offer.ts";
import { describeInBrowser, expectAccessible } from "./open-page.ts";

/** As Excel saves it in Germany: semicolons, and umlauts of Windows. */
const savedByExcel = (rows: readonly string[]) => ({
  name: "Bewohner.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(rows.join("\r\n"), "latin1"),
});

const TITLES = "Name;Wohnung;E-Mail;Stellplatz;Bereich";
const rowOf = (number: number, of: string) =>
  `Jörg Müller ${number};${number}A;${of}-${number}@invited.example;${of}-${number};Tiefgarage`;

describeInBrowser("the invitations", (world) => {
  const openAsAdministrator = (path: string, options = {}) =>
    world().open(world().administrator(), path, options);
  const invited = async (email: string): Promise<Invitation | undefined> => {
    const path = `/admin/invitations?email=${email}`;
    return (await world().administrator().read<Invitation[]>(path))[0];
  };
  const paste = (page: Page, rows: readonly string[]) =>
    page.getByLabel("List").fill(rows.join("\n"));

  it("are made from a spreadsheet, after what is wrong was mended or left out", async () => {
    const { spot_number } = await registerSpot(await world().person("Neighbour"));
    const rows = Array.from({ length: 60 }, (_, index) => rowOf(index + 1, "Sixty"));
    rows[9] = "Ohne Adresse;10A;;Sixty-10;Tiefgarage";
    rows[19] = "Kein @;20A;keine;Sixty-20;Tiefgarage";
    rows[29] = `Jörg Müller 30;30A;Sixty-30@invited.example;${spot_number};Browser`;
    rows.push("Jörg Müller 1;1A;sixty-1@INVITED.example;Sixty-61, Sixty-62;Tiefgarage");
    const page = await openAsAdministrator("/people");
    await page.getByRole("button", { name: "Invite people" }).click();
    await page.getByLabel("File").setInputFiles(savedByExcel([TITLES, ...rows]));

    await page.getByText("2 must be corrected or left out.").waitFor();
    expect(await page.getByText("Will be invited").count()).toBe(57);
    expect(await page.getByText("belongs to somebody else and stays theirs").count()).toBe(1);
    await page.getByText("Sixty-61 (Tiefgarage)").waitFor();
    expect(await page.getByRole("button", { name: "Invite 60 people" }).isDisabled()).toBe(true);
    await expectAccessible(page);

    await page.getByRole("button", { name: "To correct 2" }).click();
    await page.getByRole("button", { name: "Edit Ohne Adresse" }).click();
    await page.getByRole("dialog").getByLabel("Email").fill("sixty-10@invited.example");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("1 must be corrected or left out.").waitFor();
    await page.getByRole("button", { name: "Leave out what is wrong" }).click();
    await page.getByRole("button", { name: "Invite 59 people" }).waitFor();
    await page.getByRole("button", { name: "Invite 59 people" }).click();

    await page.getByText("59 people are invited.").waitFor();
    await expectAccessible(page);
    expect(await page.getByLabel("Text", { exact: true }).inputValue()).toContain(
      `Open ${world().origin}/ and sign in`,
    );
    expect(await invited("sixty-10@invited.example")).toMatchObject({ status: "open" });
    expect(await invited("sixty-1@invited.example")).toMatchObject({
      full_name: "Jörg Müller 1",
      spots: [{ spot_number: "Sixty-1" }, { spot_number: "Sixty-61" }, { spot_number: "Sixty-62" }],
    });
    expect(await invited("keine")).toBeUndefined();
    await world().complained("400"); // the preview
  });

  it("are not lost by the way back or another column without a question", async () => {
    const page = await openAsAdministrator("/people");
    await page.getByRole("button", { name: "Invite people" }).click();
    const asked: string[] = [];
    const answers = [false, false, true];
    page.on("dialog", async (dialog) => {
      asked.push(dialog.message());
      await (answers.shift() ? dialog.accept() : dialog.dismiss());
    });
    await paste(page, [TITLES, "Ohne Adresse;10A;;Kept-10;Tiefgarage"]);
    await page.locator(".badge.alarm").waitFor();
    const edit = page.getByRole("button", { name: "Edit Ohne Adresse" });
    const dialog = page.getByRole("dialog");
    await edit.click();
    await dialog.getByLabel("Email").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(asked).toEqual([]);
    await edit.click();
    await dialog.getByLabel("Email").fill("kept-10@invited.example");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Invite 1 person" }).waitFor();

    const column = page.getByRole("combobox", { name: "Wohnung" });
    await column.selectOption("");
    expect(asked).toEqual([expect.stringContaining("Your corrections")]);
    expect(await column.inputValue()).toBe("apartment_number");
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByText("kept-10@invited.example").waitFor();
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByRole("button", { name: "Invite people" }).waitFor();
    expect(asked).toHaveLength(3);
    await world().complained("400"); // the preview
  });

  it("approve the person who registers, with their spot", async () => {
    const newcomer = await world().person("Newcomer", "unregistered");
    const page = await openAsAdministrator("/people?invite=yes");
    await paste(page, [
      "mail,name,flat,spot,section",
      `${newcomer.email},Nina New,7,Let-in-7,North`,
    ]);
    await page.getByRole("button", { name: "Invite 1 person" }).click();
    await page.getByText("1 person is invited.").waitFor();

    const theirs = await world().open(newcomer);
    await theirs.getByText("Let-in-7 (North)").waitFor();
    expect(await theirs.getByLabel("Apartment").inputValue()).toBe("7");
    expect(await theirs.getByLabel("Name").inputValue()).toBe("Nina New");
    await theirs.getByRole("main").getByRole("button").last().click();
    await theirs.getByRole("link", { name: "Spots" }).click();
    await theirs.getByText("Let-in-7").waitFor();
    await theirs.getByText("Verified", { exact: true }).waitFor();

    await page.goto(`${world().origin}/people?search=${newcomer.email}`);
    await page.locator(".badge", { hasText: "Accepted" }).waitFor();
    await world().complained("404"); // nobody had registered
  });

  it("are validated by the service before they are sent, by the same rules", async () => {
    const page = await openAsAdministrator("/people?invite=yes");
    await paste(page, [
      "mail;name;flat",
      "Carla <carla@judged.example>;;1",
      'two@judged.example;"Two\nlines";2',
      "hid\u200bden@judged.example;Hidden;3",
      "mailto:four@judged.example;;4",
    ]);
    await page.getByText("2 must be corrected or left out.").waitFor();
    const wrong = page.getByRole("listitem").filter({ has: page.locator(".badge.alarm") });
    expect(await wrong.locator("strong").allInnerTexts()).toEqual(["Two lines", "Hidden"]);
    await page.getByRole("button", { name: "Leave out what is wrong" }).click();
    await page.getByRole("button", { name: "Invite 2 people" }).waitFor();
    await page.getByRole("button", { name: "Invite 2 people" }).click();
    await page.getByText("2 people are invited.").waitFor();
    expect(await invited("carla@judged.example")).toMatchObject({ status: "open" });
    expect(await invited("four@judged.example")).toMatchObject({ status: "open" });
    await world().complained("400");
  });

  it("are taken back, by keyboard", async () => {
    const invitations = [1, 2].map((number) => ({
      email: `back-${number}@invited.example`,
      apartment_number: "1",
    }));
    await world().administrator().ask("POST", "/admin/invitations", { invitations });
    const page = await openAsAdministrator("/people?search=back-");
    await page.getByLabel("Select all 2").focus();
    await page.keyboard.press("Space");
    await page.getByText("2 selected").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("2 invitations are taken back.").waitFor();
    expect(await invited("back-1@invited.example")).toBeUndefined();
  });
});
