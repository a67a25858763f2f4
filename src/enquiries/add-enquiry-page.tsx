import { createHash, randomUUID } from 'node:crypto'
import { redirect } from 'react-router'
import { getPincodePlace } from '#src/accounts/addresses.server.ts'
import { takeLimits, textOf } from '#src/accounts/identity-door.server.ts'
import { getProfile } from '#src/accounts/profile.server.ts'
import { LoggedOut } from '#src/accounts/logged-out.tsx'
import type { Ctx } from '#src/kit/context.ts'
import { keptOnDeadLine } from '#src/kit/dead-line.ts'
import { localized } from '#src/kit/locale.ts'
import { formHeaders, formLoader, pageAction, parseForm, withoutBugs } from '#src/kit/page.server.ts'
import { Problem } from '#src/kit/problem.ts'
import { pageMeta } from '#src/kit/seo.ts'
import { shownPlaceOf, type ShownPlace } from '#src/listings/addresses-view.server.ts'
import { m } from '#src/paraglide/messages.js'
import { enquiryChoices } from './enquiry-choices.server.ts'
import { EnquiryForm } from './enquiry-form.tsx'
import { findOwnPincode } from './queries.server.ts'
import { enquiryFields, pincodeInput, readEnquiry, type TypedEnquiry } from './schemas.ts'
import { sendEnquiry } from './sending.server.ts'
import type { Route } from './+types/add-enquiry-page'

export const loader = formLoader(async (ctx) => {
  const shared = { locale: ctx.locale, origin: ctx.publicOrigin }
  if (!ctx.viewer) return { ...shared, kind: 'logged-out' as const }
  const { name, phone } = await getProfile(ctx, ctx.viewer.id)
  const pincode = (await findOwnPincode(ctx)) ?? ''
  return {
    ...shared,
    kind: 'form' as const,
    choices: enquiryChoices(ctx.locale),
    /** As a person begins; it may be for somebody else. */
    typed: { key: randomUUID(), postedFor: name, contact: phone, pincode, requiredCount: '1', weightKg: '0' } as Record<string, string>,
  }
})

/** What the form gets back when it only asked where the PIN code is. */
interface Looked {
  place: ShownPlace
  typed: Record<string, string>
}

export const action = pageAction(
  async (ctx, { form, site, visitor }): Promise<Looked> => {
    if (!ctx.viewer) throw new Problem('AUTH_REQUIRED')
    const all = Object.fromEntries([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
    const { csrf: _, act, ...typed } = all
    if (act === 'lookup') {
      await takeLimits(ctx, site, visitor, 'lookup')
      const { pincode } = parseForm(pincodeInput, { pincode: textOf(form, 'pincode') })
      return { place: await lookUp(ctx, pincode), typed }
    }
    const fields = typedIn(form)
    const input = readEnquiry(fields)
    const key = textOf(form, 'key')
    // Nobody else's key, and none that the table of them could not hold.
    if (!/^[\w-]{8,64}$/.test(key)) throw new Problem('MALFORMED')
    await takeLimits(ctx, site, visitor, 'writeMinute')
    const id = await withoutBugs(ctx, 'an enquiry could not be posted', () => sendEnquiry(ctx, site.limits, input, sendingOf(key, fields)))
    throw redirect(localized(`/view-enquiry/${id}?done=posted`, ctx.locale))
  },
  { isForMembers: true },
)

/** The same form with the same words in it is one sending; back on it and with other words, it is another enquiry. */
const sendingOf = (key: string, fields: TypedEnquiry) =>
  `${key}.${createHash('sha256').update(JSON.stringify(fields)).digest('base64url').slice(0, 22)}`

/** Each category has its list of breeds, so that it needs no script: what counts is the chosen one's. */
function typedIn(form: FormData): TypedEnquiry {
  const typed = Object.fromEntries(enquiryFields.map((name) => [name, textOf(form, name)])) as Record<string, string>
  return { ...typed, breedId: textOf(form, `breed-${typed.categoryId}`) }
}

async function lookUp(ctx: Ctx, pincode: string): Promise<ShownPlace> {
  const place = await getPincodePlace(ctx, pincode).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'NOT_FOUND') throw error
    throw new Problem('VALIDATION', { fields: [{ field: 'pincode', message: 'field_address_pincode_unknown' }] })
  })
  return shownPlaceOf(ctx, place)
}

export const clientAction = (args: Route.ClientActionArgs) => keptOnDeadLine(args)

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? pageMeta({
        ...loaderData,
        path: '/add-enquiry',
        title: m.enquiry_add_title(),
        description: m.enquiry_add_lead(),
        keywords: m.home_keywords(),
        siteName: m.site_name(),
        noIndex: true,
      })
    : []

export default function AddEnquiryPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const refused = actionData?.refused
  const looked = actionData?.done
  return (
    <div className="mx-auto max-w-2xl space-y-4 py-2">
      <h1 className="text-2xl">{m.enquiry_add_title()}</h1>
      <p className="text-stone">{m.enquiry_add_lead()}</p>
      {page.kind === 'logged-out' ? (
        <LoggedOut path="/add-enquiry" refused={refused} />
      ) : (
        <EnquiryForm
          choices={page.choices}
          csrf={page.csrf}
          typed={{ ...page.typed, ...looked?.typed, ...refused?.typed }}
          place={looked?.place ?? null}
          refused={refused}
        />
      )}
    </div>
  )
}
