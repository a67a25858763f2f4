/** /readyz is open to everybody: a crowd of questions must not become a crowd at whatever it asks. Who asks within a second shares one answer. */
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
