import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'

/** An admin lists for a seller who cannot: found by the whole number, and by nothing else. */
export function SellSeller({ csrf, refused }: { csrf: string; refused: FormRefusal | undefined }) {
  return (
    <div className="mx-auto max-w-xl space-y-4 py-2 md:py-6">
      <h1 className="text-2xl">{m.sell_seller_title()}</h1>
      <p className="text-stone">{m.sell_seller_text()}</p>
      <form method="post" className="panel grid gap-4 p-4 sm:p-5">
        <input type="hidden" name="csrf" value={csrf} />
        {refused && !refused.errors.phone && (
          <p role="alert" className="rounded-control bg-brick-soft p-3 font-semibold text-brick">
            {refused.detail}
          </p>
        )}
        <Field
          id="seller-phone"
          name="phone"
          label={m.sell_seller_phone()}
          before="+91"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          maxLength={40}
          placeholder="98765 43210"
          defaultValue={refused?.typed.phone ?? ''}
          error={refused?.errors.phone}
        />
        <button type="submit" name="act" value="find-seller" className="button-primary">
          {m.sell_seller_find()}
        </button>
      </form>
    </div>
  )
}
