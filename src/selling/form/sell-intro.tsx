import { whatsappLink } from '#src/kit/messages/whatsapp-link.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'

const BUYER_TYPE = 1

interface SellIntroProps {
  viewerId: number | null
  viewerTypeId: number | null
  /** Ours. */
  whatsapp: string
}

/** For visitors who cannot sell (yet): what selling is, and how to begin. Search engines see the first part. */
export function SellIntro(props: SellIntroProps) {
  const steps = [m.sell_intro_step1(), m.sell_intro_step2(), m.sell_intro_step3()]
  return (
    <div className="mx-auto max-w-2xl space-y-6 py-2 md:py-6">
      <div className="flex items-center gap-3 md:gap-4">
        <img src="/species/cow.webp" alt="" width={96} height={96} className="size-16 shrink-0 md:size-24" />
        <div className="min-w-0">
          <h1 className="text-2xl md:text-3xl">{m.sell_intro_title()}</h1>
          <p className="mt-1 text-stone">{m.sell_intro_text()}</p>
        </div>
      </div>
      <Begin {...props} />
      <ol className="grid gap-3">
        {steps.map((step, index) => (
          <li key={step} className="panel flex items-center gap-4 p-4">
            <b className="grid size-10 shrink-0 place-items-center rounded-full bg-turmeric text-lg">{index + 1}</b>
            {step}
          </li>
        ))}
      </ol>
      <p className="rounded-card bg-leaf-soft p-4">{m.sell_free_hint()}</p>
    </div>
  )
}

/** Visitors log in or register; a buyer changes their profile. */
function Begin({ viewerId, viewerTypeId, whatsapp }: SellIntroProps) {
  const to = useLocalPath()
  const next = encodeURIComponent(to('/sell'))
  return viewerId === null ? (
    <div className="grid gap-3 sm:grid-cols-2">
      <a href={`${to('/login')}?next=${next}`} className="button-primary min-h-14 text-lg">
        {m.sell_intro_login()}
      </a>
      <a href={`${to('/register')}?next=${next}`} className="button-plain min-h-14 text-lg">
        {m.sell_intro_register()}
      </a>
    </div>
  ) : (
    <section className="form-panel sm:p-5">
      <p className="text-lg font-semibold">{m.problem_sellers_only()}</p>
      {viewerTypeId === BUYER_TYPE && (
        <>
          <p>{m.sell_intro_start_text()}</p>
          <a href={`${to(`/userprofile/${viewerId}`)}?edit`} className="button-primary min-h-14">
            {m.sell_intro_start()}
          </a>
        </>
      )}
      <a href={whatsappLink(whatsapp, m.sell_intro_whatsapp_text())} className="button-whatsapp min-h-14">
        <Icon name="chat" />
        {m.sell_intro_whatsapp()}
      </a>
    </section>
  )
}
