import type { Ctx } from '#src/kit/context.ts'
import type { FormPage, PageArgs } from '#src/kit/http/page.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { listShowcase } from '#src/storefront/showcase/queries.server.ts'
import { isOn, nextDay } from '#src/storefront/showcase/rules.ts'
import { SHOWCASE_KINDS } from '#src/storefront/tables.ts'

const DONE = ['added', 'changed', 'removed'] as const

export type ShowcaseDone = (typeof DONE)[number]

export const kindOf = (text: string | null) => SHOWCASE_KINDS.find((kind) => kind === text) ?? 'banner'

/** The office's content of the home page: banners, voices and market days. */
export async function readShowcase(ctx: Ctx, { url }: PageArgs) {
  const kind = kindOf(url.searchParams.get('kind'))
  const today = indianDay(ctx.now)
  const items = await listShowcase(ctx, kind)
  return {
    kind,
    items: items.map(({ changedAt: _at, changedById: _by, ...item }) => ({
      ...item,
      isOn: item.isShown && (item.kind === 'market_day' ? nextDay(item, today) !== null : isOn(item, today)),
    })),
    done: DONE.find((each) => each === url.searchParams.get('done')) ?? null,
  }
}

export type ShowcaseData = FormPage<typeof readShowcase>
