import { expect, it } from "@jest/globals";
import { messageReader } from "../../bench/ceiling/messages.ts";

const message = (type: string, body: string): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
};

it("finds the messages of PostgreSQL wherever the network cuts them", () => {
  const bytes = Buffer.concat([message("D", "a row"), message("C", ""), message("Z", "I")]);
  for (let size = 1; size <= bytes.length; size += 1) {
    const types: string[] = [];
    const read = messageReader((type) => types.push(type));
    for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
    expect(types).toEqual(["D", "C", "Z"]);
  }
});
