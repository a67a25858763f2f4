import { pageLoader } from '#src/kit/page.server.ts'
import { notFound } from '#src/kit/problem.ts'

/** Every address that is no page of ours: a real 404, drawn by the frame's error boundary. */
export const loader = pageLoader(async () => {
  throw notFound()
})

export default function MissingPage() {
  return null
}
