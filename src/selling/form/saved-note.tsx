import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import type { Saving } from '#src/selling/unsent/sync.ts'

const savedTexts: Record<Exclude<Saving, 'logged-out' | 'saved'>, () => string> = {
  none: () => '',
  saving: m.sell_saving,
  again: m.sell_saving_again,
  device: m.sell_saved_device,
  full: m.sell_saved_full,
}

/** Says in words where the draft is stored; a screen reader reads it only on demand, because it changes often. */
export function SavedNote({ saving, path, saved }: { saving: Saving; path: string; saved: string }) {
  const to = useLocalPath()
  if (saving === 'logged-out')
    return (
      <p role="status" className="row sticky top-16 z-10 mt-2 gap-x-4 rounded-control bg-turmeric px-3 py-1 font-semibold shadow-card">
        {m.sell_saved_logged_out()}
        <a href={`${to('/login')}?next=${encodeURIComponent(to(path))}`} className="tap-link">
          {m.sell_log_in_to_save()}
        </a>
      </p>
    )
  return <p className="mt-2 min-h-6 text-sm font-semibold text-leaf">{saving === 'saved' ? saved : savedTexts[saving]()}</p>
}
