import { VideoLink } from '#src/listings/clips/clip-list.tsx'
import { clipText } from '#src/listings/clips/clip-text.ts'
import type { ShownMilkingClip } from '#src/listings/clips/clip-wire.server.ts'
import { m } from '#src/paraglide/messages.js'
import { milkingTimeText } from '#src/listings/proofs/milking-time-text.ts'
import { PROOF_DAYS, type MilkingTime } from '#src/listings/proofs/proof-rules.ts'

interface ShownMilking {
  id: number
  day: string
  time: MilkingTime
  litres: number
  clip: ShownMilkingClip | null
}

/** The milkings behind "3 milkings shown": each with its day, litres and clip. */
export const MilkProof = ({ milkings }: { milkings: readonly ShownMilking[] }) => (
  <>
    <p className="text-sm text-stone">{m.milk_proof_text({ days: PROOF_DAYS })}</p>
    <ul className="mt-3 space-y-4">
      {milkings.map(({ id, day, time, litres, clip }) => (
        <li key={id} data-clip-box="">
          <p>
            <b>{m.product_litres({ litres })}</b> · {day} · {milkingTimeText(time)}
            {!clip && <span className="text-stone"> · {m.milk_seller_says()}</span>}
          </p>
          {clip && (
            <>
              <VideoLink clip={clip} label={m.milk_clip({ day })} />
              <p className="text-sm text-stone">{clipText(clip)}</p>
            </>
          )}
        </li>
      ))}
    </ul>
  </>
)
