import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'
import { PostForm } from '#src/ui/post-form.tsx'

/** An admin lists for a seller who cannot: found by the whole number, and by nothing else. */
export function SellSeller({ refused }: { refused: FormRefusal | undefined }) {
  return (
    <div className="page-column max-w-xl md:py-6">
      <h1 className="text-2xl">{m.sell_seller_title()}</h1>
      <p className="text-stone">{m.sell_seller_text()}</p>
      <PostForm reloadDocument className="form-panel sm:p-5">
        {refused && !refused.errors.phone && (
          <p role="alert" className="failure">
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
      </PostForm>
    </div>
  )
}
