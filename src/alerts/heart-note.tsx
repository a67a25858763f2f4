import { m } from '#src/paraglide/messages.js'

/** Reports what a heart has done, with an undo button (hearts-script.ts). In the footer of every page; rendered on the server only. */
export function HeartNote({ isLoggedIn }: { isLoggedIn: boolean }) {
  return (
    <p
      id="heart-note"
      role="status"
      data-logged-in={isLoggedIn ? '' : undefined}
      data-saved={isLoggedIn ? m.heart_saved() : m.heart_saved_here()}
      data-removed={m.heart_removed()}
      data-failed={m.heart_failed()}
      data-full={m.problem_saved_full()}
      data-undo={m.heart_undo()}
      className="fixed inset-x-3 bottom-20 z-40 mx-auto flex max-w-md items-center justify-between gap-3 rounded-card bg-ink px-4 py-1 font-semibold text-white shadow-card empty:hidden"
    />
  )
}
