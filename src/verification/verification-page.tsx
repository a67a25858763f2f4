import { isRouteErrorResponse, redirect } from 'react-router'
import type { Ctx } from '#src/kit/context.ts'
import { offlineRefusal } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { isPhraseOf, phrases, phraseText } from './verification-phrases.ts'
import { askSeller, questionInput } from './questions.server.ts'
import { LISTING_HASH, queuePath, readQueueFilter } from './queue-filter.ts'
import { isSeenMark, readSeen, type SeenListing, writeSeen } from './seen-mark.ts'
import { skipListing } from './queue-marks.server.ts'
import { readQueue } from './queue.server.ts'
import { getSellerLocale } from './to-verify.server.ts'
import { undoVerdict } from './undo-verdict.server.ts'
import { verdict, verifyListing } from './verify-listing.server.ts'
import { VerificationView } from './verification.tsx'
import { readVerification, idsIn, MOST_AT_ONCE } from './verification-view.server.ts'
import type { Route } from './+types/verification-page'

export const loader = formLoader(readVerification)

/** Handles the verdict from here and from the animal's page, and the other acts of the desk. */
export const action = pageAction('verification', async (ctx, { form, url }): Promise<never> => {
  const id = idsIn(textOf(form, 'listing'))[0]
  if (id === undefined) throw notFound()
  const filter = readQueueFilter(url.searchParams)
  const goTo = (more: Parameters<typeof queuePath>[1]) => redirect(localized(queuePath(filter, more) + LISTING_HASH, ctx.locale))
  const act = textOf(form, 'act')
  if (act === 'undo') {
    const undone = idsIn(textOf(form, 'listing'))
    const { done, missed } = await takeBack(ctx, undone)
    throw goTo({ id: done[0] ?? id, undone: 1, missed: missed.map(writeSeen).join(',') || null })
  }
  if (act === 'skip') {
    // Read the next listing before the skip moves this one to the end.
    const { thenId } = await readQueue(ctx, id, { filter, claims: false })
    await skipListing(ctx, id)
    throw goTo({ id: thenId })
  }
  if (act === 'ask') {
    await askSeller(ctx, id, parseInput(questionInput, { question: textOf(form, 'question') }))
    throw goTo({ id: (await readQueue(ctx, id, { filter, claims: false })).thenId, asked: 1 })
  }
  const decided = await decide(ctx, id, form)
  if (textOf(form, 'from') === 'product') throw redirect(localized(`/product/${id}?tab=verification&verified=1#details`, ctx.locale))
  const { thenId } = await readQueue(ctx, id, { filter, claims: false })
  throw goTo({ id: thenId, done: decided.done.join(','), missed: decided.missed.map(writeSeen).join(',') || null })
})

interface Acted {
  done: number[]
  /** Those that another admin decided first, or that changed. */
  missed: SeenListing[]
}

/** The verdict on the current listing and on the ticked ones. */
async function decide(ctx: Ctx, id: number, form: FormData): Promise<Acted> {
  const passed = { yes: true, no: false }[textOf(form, 'passed')]
  const commentFor = async (listingId: number) => {
    const locale = await getSellerLocale(ctx, listingId)
    const ticked = phrases
      .filter((phrase) => form.has(`phrase-${phrase}`) && isPhraseOf(phrase, passed))
      .map((phrase) => phraseText(phrase, locale))
    return [...ticked, textOf(form, 'comment')].join(' ')
  }
  // The form always sends the state that the admin saw.
  const seen = textOf(form, 'seen')
  if (!isSeenMark(seen)) throw new Problem('VERSION')
  await verifyListing(ctx, id, { ...parseInput(verdict, { passed, comment: await commentFor(id) }), seen })
  const done = [id]
  const missed: SeenListing[] = []
  for (const { id: also, seen } of alsoIn(form, id)) {
    try {
      await verifyListing(ctx, also, { ...parseInput(verdict, { passed, comment: await commentFor(also) }), seen })
      done.push(also)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      missed.push({ id: also, seen })
    }
  }
  return { done, missed }
}

/** Ticked listings: `also=7:2.15` is listing 7 as seen with the mark 2.15. */
function alsoIn(form: FormData, shownId: number): SeenListing[] {
  const ticked = form.getAll('also').flatMap((each) => readSeen(String(each)) ?? [])
  return ticked.filter(({ id }) => id !== shownId).slice(0, MOST_AT_ONCE)
}

/** Returns those that were undone and those that could not be; throws the refusal when none was undone. */
async function takeBack(ctx: Ctx, ids: number[]): Promise<Acted> {
  const undone: number[] = []
  const missed: SeenListing[] = []
  let refusal: Problem | undefined
  for (const id of ids.slice(0, MOST_AT_ONCE)) {
    try {
      await undoVerdict(ctx, id)
      undone.push(id)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      // Only somebody else's verdict is named as the reason.
      missed.push({ id, seen: '0.0' })
      refusal = error
    }
  }
  if (undone.length === 0) throw refusal ?? notFound()
  return { done: undone, missed }
}

/** Being offline becomes a refusal, so that the typed text stays. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const sent = request.clone()
  try {
    return await serverAction()
  } catch (error) {
    if (error instanceof Response || isRouteErrorResponse(error)) throw error
    return { refused: offlineRefusal(await sent.formData(), m.verify_offline()) }
  }
}

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.verify_queue_title(), description: m.verify_queue_lead() }))

export default function VerificationPage({ loaderData, actionData }: Route.ComponentProps) {
  return <VerificationView {...loaderData} refused={actionData?.refused} />
}
