import { expect, it, jest } from "@jest/globals";
import { createTokenVerifier } from "../../../src/tokens/verifier.ts";
import { SECOND, statusOf } from "../../tokens/provider.ts";
import {
  AUDIENCE,
  alarm,
  describeWithProvider,
  signIn,
  untilRenewal,
  withdrawRefreshTokens,
} from "./world.ts";

describeWithProvider("an identity provider that changes its key without overlap", (world) => {
  /** What a new browser gets when the resident signs in. */
  async function newToken(): Promise<string> {
    const page = await world().page();
    const answer = page.waitForResponse((response) => response.url().endsWith("/token"));
    await page.goto(world().service.origin);
    await signIn(page);
    const { access_token } = await (await answer).json();
    return `Bearer ${access_token}`;
  }

  it("may refuse the hint of a tab, which then says so and signs in by its form", async () => {
    const page = await world().signedIn();
    await withdrawRefreshTokens(world(), page);
    await world().provider.rotateKeys();

    await untilRenewal(page);
    expect(await alarm(page).innerText()).toContain("id_token invalid (invalid_request)");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    // The service may not have the new key yet; then it can be tried again.
    const isBack = page.getByRole("button", { name: /Try again|Account and more/ });
    await isBack.first().waitFor();
  });

  it("is trusted again five seconds later, and its old key is not", async () => {
    const { issuer } = world().provider;
    const now = Date.now;
    let passed = 0;
    const clock = jest.spyOn(Date, "now").mockImplementation(() => now() + passed);
    const verifier = createTokenVerifier({ issuer, audience: AUDIENCE, subIsUuid: false });
    await verifier.refreshKeys();
    await world().provider.rotateKeys();
    const token = await newToken();

    expect(await statusOf(verifier.verify(token))).toBe(401);
    passed += 5 * SECOND;
    expect(await statusOf(verifier.verify(token))).toBe(200);

    await world().provider.rotateKeys();
    passed += 5 * SECOND;
    expect(await statusOf(verifier.verify(await newToken()))).toBe(200);
    expect(await statusOf(verifier.verify(token))).toBe(401);
    clock.mockRestore();
  });
});
