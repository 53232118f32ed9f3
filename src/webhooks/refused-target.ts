/** Nothing is sent to this address. The message is for administrators; it does not repeat the address. */
export class RefusedTarget extends Error {
  override readonly name = "RefusedTarget";
}
