import { pageLoader } from '#src/kit/page.server.ts'
import { notFound } from '#src/kit/problem.ts'

/** Every other address is no page of ours: a real 404, drawn by the frame's error boundary. */
export const loader = pageLoader(async () => {
  throw notFound()
})

/** Never drawn; without it React Router would take this for a file and not draw the frame. */
export default function ElsewherePage() {
  return null
}
