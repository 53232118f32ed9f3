/** Nothing is sent to this address. The message for administrators does not repeat the address. */
export class RefusedTarget extends Error {
  override readonly name = "RefusedTarget";
}
