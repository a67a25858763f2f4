import { use } from 'react'
import { m } from '#src/paraglide/messages.js'
import { weightByTape } from '#src/listings/fields/listing-questions.ts'
import { plainFigures } from '#src/kit/text/plain-text.ts'
import { ListingForm, TextQuestion } from './form-parts.tsx'

/** For sellers with a tape and no scales: the estimated weight, offered for the field above and labelled as an estimate. */
export function TapeQuestion() {
  const { typed, isAlive, write } = use(ListingForm)
  const estimate = weightByTape(Number(plainFigures(typed.girthCm ?? '')), Number(plainFigures(typed.lengthCm ?? '')))
  return (
    <details className="rounded-control border border-line bg-field" open={Boolean(typed.girthCm || typed.lengthCm) || undefined}>
      <summary className="min-h-11 content-center px-3 py-2 font-semibold text-leaf">{m.sell_tape_title()}</summary>
      <div className="grid gap-3 p-3 pt-0">
        <Beast />
        <div className="grid grid-cols-2 gap-3">
          <TextQuestion name="girthCm" label={m.sell_girth()} inputMode="numeric" maxLength={6} after="cm" />
          <TextQuestion name="lengthCm" label={m.sell_length()} inputMode="numeric" maxLength={6} after="cm" />
        </div>
        {estimate !== null && (
          <p role="status" className="notice">
            {m.sell_tape_estimate({ kg: estimate, girth: typed.girthCm ?? '', length: typed.lengthCm ?? '' })}{' '}
            {isAlive && typed.weightKg !== String(estimate) && (
              <button type="button" onClick={() => write('weightKg', String(estimate))} className="link-button">
                {m.sell_tape_use({ kg: estimate })}
              </button>
            )}
          </p>
        )}
      </div>
    </details>
  )
}

/** Shows where the tape goes: 1 around the chest behind the foreleg, 2 from shoulder to pin bone. */
function Beast() {
  return (
    <figure>
      <svg
        viewBox="0 0 240 120"
        role="img"
        aria-label={m.sell_tape_picture()}
        className="light-sheet mx-auto h-28 w-full max-w-60 rounded-control"
      >
        <path
          d="M30 46c-12-6-16-16-12-22 8 6 14 7 22 6l16 8c30-8 84-8 118-4 12 1 20 10 21 26l4 26h-6l-6-24-4 10 2 36h-10l-4-34c-20 6-46 6-64 2l-8 32h-10l2-36c-10-4-18-10-22-18-8 4-20 6-27 2-6-4-12-4-12-10z"
          fill="#e9dcc3"
          stroke="#5f584e"
          strokeWidth="2"
        />
        <ellipse cx="102" cy="56" rx="7" ry="27" fill="none" stroke="#a93f22" strokeWidth="4" />
        <path d="M84 44L184 40" stroke="#1f5c3a" strokeWidth="4" strokeDasharray="7 5" />
        <text x="78" y="106" fontSize="16" fontWeight="700" fill="#a93f22">
          1
        </text>
        <text x="140" y="30" fontSize="16" fontWeight="700" fill="#1f5c3a">
          2
        </text>
      </svg>
      <figcaption className="text-sm text-stone">{m.sell_tape_hint()}</figcaption>
    </figure>
  )
}
