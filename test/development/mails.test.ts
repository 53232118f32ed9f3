import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { developmentToken } from "../../src/development/index.ts";
import { people } from "../../src/development/people.ts";
import { type DemoService, startDemoService } from "../support/demo-service.ts";

let service: DemoService;
beforeAll(async () => {
  service = await startDemoService();
});
afterAll(() => service.stop());

const read = async (path: string) => {
  const answer = await fetch(service.origin + path);
  return { answer, text: await answer.text() };
};

it("shows at /mail what would be sent, and keeps what people wrote a text", async () => {
  expect((await read("/mail")).text).toContain("There are none yet.");
  const token = await developmentToken(people.ada.email, service);
  const name = "<script>alert(1)</script>";
  const change = (method: string, path: string, body: object) =>
    fetch(`${service.origin}/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  await change("PUT", "/admin/building", { name });
  const invitations = [{ email: "zoe@new.example", apartment_number: "2B" }];
  expect((await change("POST", "/admin/invitations", { invitations })).status).toBe(201);

  let list = await read("/mail");
  while (!list.text.includes("zoe@new.example")) list = await read("/mail");
  expect(list.text).toContain("You are invited to share parking spots");
  expect(list.text).not.toContain("<script>alert");

  const path = /href="(\/mail\/[^"]+)"/.exec(list.text)?.[1] ?? "";
  const { answer, text } = await read(path);
  expect(answer.headers.get("Content-Security-Policy")).toMatch(/^default-src 'none'/);
  expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(text).toContain(`<a href="${service.origin}">`);
});
