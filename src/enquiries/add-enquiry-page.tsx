import { createHash, randomUUID } from 'node:crypto'
import { redirect } from 'react-router'
import { getTypedPlace } from '#src/addresses/addresses.server.ts'
import { getProfile } from '#src/accounts/profile/profile.server.ts'
import { LoggedOut } from '#src/accounts/sign-in/logged-out.tsx'
import type { Ctx } from '#src/kit/context.ts'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { shownPlaceOf, type ShownPlace } from '#src/addresses/addresses-view.server.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { enquiryChoices } from './enquiry-choices.server.ts'
import { EnquiryForm } from './enquiry-form.tsx'
import { findOwnPincode } from './queries.server.ts'
import { pincodeInput, readEnquiry, typedEnquiry, type TypedEnquiry } from './schemas.ts'
import { sendEnquiry } from './sending.server.ts'
import type { Route } from './+types/add-enquiry-page'

export const loader = formLoader(async (ctx) => {
  if (!ctx.viewer) return { kind: 'logged-out' as const }
  const { name, phone } = await getProfile(ctx, ctx.viewer.id)
  const pincode = (await findOwnPincode(ctx)) ?? ''
  return {
    kind: 'form' as const,
    choices: enquiryChoices(ctx.locale),
    /** The initial values. The person may change them, because an enquiry can be for somebody else. */
    typed: { key: randomUUID(), postedFor: name, contact: phone, pincode, requiredCount: '1', weightKg: '0' } as Record<string, string>,
  }
})

/** The answer to a look-up of the PIN code's place. */
interface Looked {
  place: ShownPlace
  typed: Record<string, string>
}

export const action = pageAction('add-enquiry', async (ctx, { form, site }): Promise<Looked> => {
  const all = Object.fromEntries([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  const { act, ...typed } = all
  if (act === 'lookup') {
    const { pincode } = parseInput(pincodeInput, { pincode: textOf(form, 'pincode') })
    return { place: await lookUp(ctx, pincode), typed }
  }
  const fields = typedEnquiry((field) => textOf(form, field))
  const input = readEnquiry(fields)
  const key = textOf(form, 'key')
  // Refuse a key with a foreign form, which the table could not store.
  if (!/^[\w-]{8,64}$/.test(key)) throw new Problem('MALFORMED')
  const id = await sendEnquiry(ctx, site.limits, input, sendingOf(key, fields))
  throw redirect(localized(`/view-enquiry/${id}?done=posted`, ctx.locale))
})

/** Idempotency key: the same form with the same values is one enquiry; after changes it is another. */
const sendingOf = (key: string, fields: TypedEnquiry) =>
  `${key}.${createHash('sha256').update(JSON.stringify(fields)).digest('base64url').slice(0, 22)}`

async function lookUp(ctx: Ctx, pincode: string): Promise<ShownPlace> {
  const place = await getTypedPlace(ctx, pincode)
  return shownPlaceOf(ctx, place)
}

export const clientAction = (args: Route.ClientActionArgs) =>
  keepWhenOffline(args, (form) => (form.get('act') === 'post' ? { kind: 'enquiry', words: String(form.get('description')) } : null))

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.enquiry_add_title(), description: m.enquiry_add_lead() }))

export default function AddEnquiryPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const refused = actionData?.refused
  const looked = actionData?.done
  return (
    <div className="page-column max-w-2xl">
      <h1 className="text-2xl">{m.enquiry_add_title()}</h1>
      <p className="text-stone">{m.enquiry_add_lead()}</p>
      {page.kind === 'logged-out' ? (
        <LoggedOut path="/add-enquiry" refused={refused} />
      ) : (
        <EnquiryForm
          choices={page.choices}
          typed={{ ...page.typed, ...looked?.typed, ...refused?.typed }}
          place={looked?.place ?? null}
          refused={refused}
        />
      )}
    </div>
  )
}
