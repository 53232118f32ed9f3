import { describe, expect, it } from "@jest/globals";
import { bucketOf, networkOf } from "../../src/limits/strangers.ts";

describe("the network of an address", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8::", "2001:db8:0:0"],
    ["2001:db8::3:4:5:6", "2001:db8:0:0"],
    ["2001::2:3:4:5:6:7", "2001:0:2:3"],
    ["2001:db8:1:2:3:4:5::", "2001:db8:1:2"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["64:ff9b::192.0.2.1", "64:ff9b:0:0"],
    ["unknown", "unknown"],
    ["", ""],
  ])("of %j is %j", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it.each(["::", "::1", "::2:3"])(
    "of %s is that of all addresses that start with zeros",
    (address) => {
      expect(networkOf(address)).toBe(networkOf("::1"));
      expect(networkOf(address)).not.toBe(networkOf("0:0:0:1::"));
    },
  );
});

describe("the buckets", () => {
  it("are many, and no more than 65,536", () => {
    const addresses = Array.from(
      { length: 200_000 },
      (_, i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
    );
    const buckets = new Set(addresses.map(bucketOf));

    expect(buckets.size).toBeGreaterThan(60_000);
    expect(buckets.size).toBeLessThanOrEqual(65_536);
  });

  it("are the same for addresses of one network", () => {
    expect(bucketOf("2001:db8::1")).toBe(bucketOf("2001:db8::ffff:1"));
    expect(bucketOf("192.0.2.1")).not.toBe(bucketOf("192.0.2.2"));
  });
});
