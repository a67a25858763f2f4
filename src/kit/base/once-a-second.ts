/** /readyz is public, so many calls must not cause many queries: all calls within a second share one answer. */
export function onceASecond<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  let askedAt = -Infinity
  return () => {
    const now = performance.now()
    if (!answer || now - askedAt > 1000) {
      askedAt = now
      answer = ask()
    }
    return answer
  }
}
