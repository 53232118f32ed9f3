/**
 * Asks again where the answer is 503. A request waits for a connection for one second, which is short
 * on a busy machine: that it is refused then is tested by itself, and here it would only disturb.
 */
export async function served<Answer extends { readonly status: number }>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
  }
}
