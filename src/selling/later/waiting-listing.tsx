import { useEffect, useState } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { listWaiting } from '#src/selling/unsent/queue.ts'

/** Shown in place of the form while its listing waits on this phone, with the progress. */
export function WaitingListing({ listingKey }: { listingKey: string }) {
  const to = useLocalPath()
  const [act, setAct] = useState<Awaited<ReturnType<typeof listWaiting>>[number]>()
  useEffect(() => {
    const look = () => void listWaiting().then((acts) => setAct(acts.findLast(({ body }) => body.typed.key === listingKey)))
    look()
    addEventListener('acts-changed', look)
    return () => removeEventListener('acts-changed', look)
  }, [listingKey])
  // The scroll position of the long form would be below this short page.
  useEffect(() => scrollTo(0, 0), [])
  const state = act?.state ?? 'waiting'
  return (
    <div className="mx-auto grid max-w-xl justify-items-center gap-4 py-6 text-center">
      <span className="text-leaf">
        <Icon name="badge" size={48} />
      </span>
      <div role="status" className="grid gap-2">
        <h1 className="text-2xl">{titles[state]()}</h1>
        {act && <p className="font-semibold wrap-anywhere">{act.words}</p>}
        <p>{state === 'refused' ? m.offline_act_reason({ reason: act?.reason ?? '' }) : texts[state]()}</p>
      </div>
      <div className="grid w-full gap-3 sm:grid-cols-2">
        {state === 'refused' ? (
          <a href={`${to('/sell')}?waiting=${act?.n}`} className="button-primary min-h-12">
            {m.offline_act_correct()}
          </a>
        ) : (
          <a href={to('/sell')} className="button-primary min-h-12">
            {m.sell_sent_more()}
          </a>
        )}
        <a href={to('/offline#acts')} className="button-plain min-h-12">
          {m.sell_later_list()}
        </a>
      </div>
    </div>
  )
}
const titles = { waiting: m.sell_later_title, sent: m.sell_sent_title, refused: m.offline_act_refused }
const texts = { waiting: m.sell_later_text, sent: m.sell_sent_text }
