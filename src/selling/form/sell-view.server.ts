import { randomUUID } from 'node:crypto'
import { can } from '#src/accounts/policy.ts'
import type { Seller } from '#src/accounts/people/sellers.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { listAddresses } from '#src/addresses/addresses.server.ts'
import { findBook, shownAddress, type ShownAddress } from '#src/addresses/addresses-view.server.ts'
import { clipOnWire } from '#src/listings/clips/clip-wire.server.ts'
import { listWaitingClips } from '#src/selling/unsent/waiting-clips.server.ts'
import { readFormLookups } from '../lookups.server.ts'
import type { PriceSettings } from '../recommended-price.ts'
import { findDraft } from '#src/selling/unsent/drafts.server.ts'
import { findSellerById } from '#src/selling/listing/sell.server.ts'

/** The data that the sell form is rendered from. */
export async function readSellForm(ctx: Ctx, noteAway: (error: unknown) => void) {
  const viewerId = ctx.viewer!.id
  const draft = await findDraft(ctx)
  const typed = { key: randomUUID(), stock: '1', ...draft?.typed }
  const seller = can(ctx.viewer, 'operate') ? await chosenSeller(ctx, typed) : null
  return {
    ownerId: viewerId,
    /** Agents, and admins for them: the animal may be somebody else's. */
    maySellFor: can(ctx.viewer, 'list-for-owner'),
    typed,
    version: draft?.version ?? 0,
    photos: draft?.photos ?? [],
    clips: (await listWaitingClips(ctx, typed.key)).map(clipOnWire),
    /** The seller for whom an admin lists; null for sellers who list for themselves. */
    seller,
    /** Null: could not be read now. */
    book: await readBook(ctx, seller?.id ?? viewerId, noteAway),
    lookups: await readFormLookups(ctx),
    settings: await readPriceSettings(ctx),
    today: indianDay(ctx.now),
  }
}

async function chosenSeller(ctx: Ctx, typed: Record<string, string>): Promise<Seller | null> {
  return /^[1-9]\d{0,14}$/.test(typed.sellerId ?? '') ? findSellerById(ctx, Number(typed.sellerId)) : null
}

/** A seller's addresses: the viewer's own, or anybody's for an admin. Null when they cannot be read now. */
export async function readBook(ctx: Ctx, sellerId: number, noteAway: (error: unknown) => void): Promise<ShownAddress[] | null> {
  if (sellerId === ctx.viewer?.id) return findBook(ctx, sellerId, noteAway)
  return (await listAddresses(ctx, sellerId)).map((address) => shownAddress(ctx, address))
}

/** The settings that the recommendation needs. The page shows none of the others. */
export async function readPriceSettings(ctx: Ctx): Promise<PriceSettings> {
  const { profitMarginPercent, recommendedOfferPercent } = await readSettings(ctx)
  return { profitMarginPercent, recommendedOfferPercent }
}
