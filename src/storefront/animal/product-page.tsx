import { useEffect } from 'react'
import { data, type ShouldRevalidateFunction } from 'react-router'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { personalLoader } from '#src/kit/http/personal-page.server.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { pageMeta, shorten } from '#src/kit/http/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { deferred } from '#src/ui/deferred.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Price } from '#src/ui/price.tsx'
import { ContactSeller, ShareLink } from './contact-seller.tsx'
import { DeliveryCheck } from './delivery-check.tsx'
import { ListingCardLink } from '#src/listings/listing-card.tsx'
import { LoginPrompt } from './login-prompt.tsx'
import { ProductGallery } from './product-gallery.tsx'
import { ProductInfo } from './product-info.tsx'
import { ProductTabs } from './product-tabs.tsx'
import { readProductPage } from './product-view.server.ts'
import { findOwnReviewOf } from '#src/reviews/reviews.server.ts'
import { parseId } from '#src/kit/ids.ts'
import { findWithdrawn, shareFactsOf, sharePath } from './share-facts.server.ts'
import { productThings } from './structured-data.ts'
import { countView } from './view-counter.ts'
import type { Route } from './+types/product-page'
import { Icon } from '#src/ui/icon.tsx'
import { Link } from '#src/ui/link.tsx'

export const loader = personalLoader(async (ctx, { params, url }) => {
  const id = parseId(params.productId)
  if (id === null) throw notFound()
  try {
    const [page, ownReview] = await Promise.all([readProductPage(ctx, id, url.searchParams), findOwnReviewOf(ctx, id)])
    const isReviewed = ctx.viewer !== null && url.searchParams.get('done') === 'review'
    return { ...page, ownReview, isReviewed, sharePicture: page.state === 'passed' ? sharePath(shareFactsOf(page)) : null }
  } catch (error) {
    const withdrawn = error instanceof Problem && error.code === 'NOT_FOUND' ? await findWithdrawn(ctx, id) : null
    if (!withdrawn) throw error
    // On the wire a withdrawn listing is as missing as any other (api.md); only its page says that it is gone for good.
    throw data({ code: 'GONE', ...withdrawn }, { status: 410, statusText: 'Gone' })
  }
})

// Code that loads when somebody begins to act: a buyer's first visit carries neither.
const OwnerPanel = deferred('owner-panel', async () => (await import('./owner-panel.tsx')).OwnerPanel)
const SellerReviews = deferred('seller-reviews', async () => (await import('./seller-reviews.tsx')).SellerReviews)

/** A tap on a tab changes the address only: all tabs are loaded already. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) => {
  const withoutTab = (url: URL) => {
    const copy = new URL(url)
    copy.searchParams.delete('tab')
    copy.hash = ''
    return copy.href
  }
  return withoutTab(currentUrl) !== withoutTab(nextUrl) && defaultShouldRevalidate
}

export const meta = ({ loaderData: product }: Route.MetaArgs) => {
  if (!product) return []
  const price = formatRupees(product.offerPrice ?? product.originalPrice)
  const place = `${product.place.district}, ${product.place.state}`
  const title = m.product_title({ name: shorten(product.name, TITLE_NAME_LENGTH), price, place: product.place.district })
  return pageMeta({
    title,
    description: m
      .product_meta({
        breed: product.breed ?? '',
        category: product.category,
        place,
        price,
        description: shorten(product.description, 110),
      })
      .trim(),
    keywords:
      import.meta.env.SSR && [product.breed, product.category, product.place.district, m.home_keywords()].filter(Boolean).join(', '),
    path: `/product/${product.id}`,
    locale: product.locale,
    origin: product.origin,
    siteName: m.site_name(),
    image: product.sharePicture ? { path: product.sharePicture, alt: title } : undefined,
    noIndex: product.state !== 'passed',
    about: import.meta.env.SSR && product.state === 'passed' ? productThings(product) : [],
  })
}

/** Search results cut titles after about 60 letters; price and place must still stand there. */
const TITLE_NAME_LENGTH = 34

export default function ProductPage({ loaderData: product }: Route.ComponentProps) {
  const to = useLocalPath()
  useEffect(() => {
    if (!product.isOwn) void countView(product.id)
  }, [product.id, product.isOwn])
  return (
    <article className="space-y-6">
      <Link to={to(`/buy/${product.categoryId}`)} className="tap-link -my-3 gap-1 font-semibold">
        <Icon name="back" size={18} />
        {m.product_back()}
      </Link>
      <StateBanner product={product} />
      <div className="grid gap-6 md:grid-cols-2 lg:gap-10">
        <ProductGallery photos={product.photos} name={product.name} isSample={product.isSample} />
        <div className="space-y-5">
          <div>
            <h1 className="text-2xl md:text-3xl">{product.name}</h1>
            <p className="mt-1 text-stone">
              {[product.breed, product.category].filter(Boolean).join(' · ')} · {m.product_listed({ when: product.listed })}
              {product.views > 0 && ` · ${product.views === 1 ? m.product_views_one() : m.product_views({ count: product.views })}`}
            </p>
          </div>
          <div>
            <Price original={product.originalPrice} offer={product.offerPrice} isLarge />
            {product.pricePerKg !== null && (
              <p className="text-sm text-stone">{m.product_per_kg({ price: formatRupees(product.pricePerKg) })}</p>
            )}
          </div>
          <StockNotice product={product} />
          <ContactSeller product={product} csrf={product.csrf} />
          {product.isOwn && product.csrf !== undefined && <OwnerPanel product={product} csrf={product.csrf} />}
          {product.state === 'passed' && (
            <p className="flex flex-wrap gap-x-6">
              <ShareLink product={product} />
              {product.availability === 'available' && !product.isOwn && (
                <a href={to(product.save.path)} className="tap-link font-semibold">
                  {product.save.text}
                </a>
              )}
            </p>
          )}
          <DeliveryCheck product={product} />
        </div>
      </div>
      <ProductInfo product={product} />
      <ProductTabs product={product} />
      <SellerReviews product={product} csrf={product.csrf} own={product.ownReview} isSaved={product.isReviewed} />
      <FootLinks product={product} />
      {product.related.length > 0 && <Related cards={product.related} />}
      {!product.isLoggedIn && <LoginPrompt key={product.id} />}
    </article>
  )
}

type ProductProps = { product: Route.ComponentProps['loaderData'] }

function Related({ cards }: { cards: ProductProps['product']['related'] }) {
  return (
    <section>
      <h2 className="mb-3 text-xl">{m.product_related()}</h2>
      <ul
        tabIndex={0}
        aria-label={m.product_related()}
        className="-mx-4 flex snap-x scroll-px-4 gap-3 overflow-x-auto px-4 pb-3 lg:mx-0 lg:grid lg:grid-cols-5 lg:overflow-visible lg:px-0"
      >
        {cards.map((card) => (
          <li key={card.id} className="w-64 shrink-0 snap-start lg:w-auto">
            <ListingCardLink card={card} path={`/product/related/${card.id}`} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const stateTexts = { draft: m.product_draft, pending: m.product_pending, failed: m.product_failed, withdrawn: m.product_withdrawn }

function StateBanner({ product }: ProductProps) {
  if (product.state !== 'passed') {
    return (
      <p role="status" className="rounded-card border border-turmeric bg-turmeric-soft px-4 py-3">
        <b>{stateTexts[product.state]()}.</b> {m.product_hidden_text()} {product.state === 'failed' && product.verificationComment}
      </p>
    )
  }
  if (product.availability === 'available') return null
  const isSold = product.availability === 'sold'
  return (
    <p role="status" className="rounded-card border border-brick bg-brick-soft px-4 py-3 text-brick">
      <b className="text-lg">{isSold ? m.product_sold() : m.product_closed()}</b>
      <br />
      {isSold ? m.product_sold_text() : m.product_closed_text()}
    </p>
  )
}

function StockNotice({ product }: ProductProps) {
  if (product.availability !== 'available' || product.isOwn || !product.stockNotice) return null
  const { kind, left } = product.stockNotice
  return (
    <p className={kind === 'hurry' ? 'font-semibold text-brick' : 'font-semibold'}>
      {kind === 'hurry' ? m.product_hurry({ count: left }) : m.product_few({ count: left })}
    </p>
  )
}

/** Anybody but the seller may report the listing; an admin changes it where sellers do. */
function FootLinks({ product }: ProductProps) {
  const to = useLocalPath()
  if (product.isOwn) return null
  return (
    <p className="flex flex-wrap gap-x-5 text-sm">
      {product.guides.map(({ path, text }) => (
        <a key={path} href={to(path)} className="tap-link">
          {text}
        </a>
      ))}
      <a href={to(`/report/product/${product.id}`)} className="tap-link">
        {m.report_link()}
      </a>
      {product.tabs.includes('verification') && (
        <a href={to(`/seller-product/?listing=${product.id}`)} className="tap-link">
          {m.own_edit()}
        </a>
      )}
    </p>
  )
}
