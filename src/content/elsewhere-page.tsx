import { pageLoader } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'

/** Any unknown address: a real 404, rendered by the frame's error boundary. */
export const loader = pageLoader(async () => {
  throw notFound()
})

/** Never rendered; without a component React Router treats the route as a file and does not render the frame. */
export default function ElsewherePage() {
  return null
}
