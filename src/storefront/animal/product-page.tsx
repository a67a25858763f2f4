import { data } from 'react-router'
import { SaveHeart } from '#src/alerts/save-heart.tsx'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { personalLoader } from '#src/kit/http/personal-page.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { publicMeta } from '#src/kit/http/page-meta.ts'
import { shorten } from '#src/kit/http/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { deferred } from '#src/document/deferred.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { ClipList } from '#src/listings/clips/clip-list.tsx'
import { TileRow } from '#src/storefront/showcase/tile-row.tsx'
import { CompareToggle, CompareTray } from '#src/storefront/compare/compare-toggle.tsx'
import { RecentRow } from '#src/storefront/recent/recent-row.tsx'
import { onServer, readOnServer } from '#src/router-seams/on-server.ts'
import { appOnDemand } from '#src/router-seams/start-app.ts'
import type { ReviewInput } from '#src/reviews/reviews-schemas.ts'
import { findOwnReviewOf } from '#src/reviews/reviews.server.ts'
import { parseId } from '#src/kit/ids.ts'
import { findWithdrawn, sharePath } from '../sharing/share-facts.server.ts'
import { Icon } from '#src/ui/icon.tsx'
import { ServerOnly } from '#src/document/server-only.tsx'
import { sharePathOf } from './contact-links.ts'
import { DeliveryCheck } from './delivery-check.tsx'
import { FirstScreen } from './first-screen.tsx'
import { LoginPrompt } from './login-prompt.tsx'
import { ProductGallery } from './product-gallery.tsx'
import { ProductInfo } from './product-info.tsx'
import { ProductTabs } from './product-tabs.tsx'
import { SellerReviews } from './seller-reviews.tsx'
import { readProductPage, shareFactsOf, type ProductPageData } from './product-view.server.ts'
import { productThings } from './structured-data.ts'
import type { Route } from './+types/product-page'

export const handle = appOnDemand

export const loader = personalLoader(async (ctx, { params, url }) => {
  const id = parseId(params.productId)
  if (id === null) throw notFound()
  try {
    const [page, ownReview] = await Promise.all([readProductPage(ctx, id, url.searchParams), findOwnReviewOf(ctx, id)])
    const isReviewed = ctx.viewer !== null && url.searchParams.get('done') === 'review'
    const product = { ...page, ownReview, isReviewed }
    return {
      shown: onServer(product),
      app: needsApp(product) ? product : null,
      head: headOf(page),
      viewOf: page.isOwn ? undefined : page.id,
    }
  } catch (error) {
    const withdrawn = error instanceof Problem && error.code === 'NOT_FOUND' ? await findWithdrawn(ctx, id) : null
    if (!withdrawn) throw error
    // The API answers 404 for a withdrawn listing like for any missing one (api.md); only its page says 410.
    throw data({ code: 'GONE', ...withdrawn }, { status: 410, statusText: 'Gone' })
  }
})

/** React renders forms for logged-in viewers: the owner's, those of desks, and the review. */
const needsApp = (product: ShownProduct) => product.isLoggedIn || product.desk !== null || product.tabs.includes('verification')

/** The title and description for links and search results. */
function headOf(product: ProductPageData) {
  const price = formatRupees(product.offerPrice ?? product.originalPrice)
  const place = `${product.place.district}, ${product.place.state}`
  const { breed, category, description, state } = product
  return {
    title: m.product_title({ name: shorten(product.name, TITLE_NAME_LENGTH), price, place: product.place.district }),
    description: m.product_meta({ breed: breed ?? '', category, place, price, description: shorten(description, 110) }).trim(),
    path: `/product/${product.id}`,
    picture: state === 'passed' ? sharePath(shareFactsOf(product)) : null,
    isListed: state === 'passed',
  }
}

// Code that loads for desks, or when somebody starts to act. A buyer's first visit loads none of it.
const OwnerPanel = deferred('owner-panel', async () => (await import('./owner-panel.tsx')).OwnerPanel)
const DeskTabs = deferred('desk-tabs', async () => (await import('./desk-tabs.tsx')).DeskTabs)
const OwnReviewForm = deferred('own-review', async () => (await import('./own-review.tsx')).OwnReviewForm)

export const meta = publicMeta<Route.MetaArgs>(({ head: { picture, isListed, ...head }, shown }) => ({
  ...head,
  keywords: import.meta.env.SSR && keywordsOf(readOnServer(shown)),
  image: picture ? { path: picture, alt: head.title } : undefined,
  noIndex: !isListed,
  about: import.meta.env.SSR && isListed ? productThings(readOnServer(shown)) : [],
}))

const keywordsOf = ({ breed, category, place }: ShownProduct) =>
  [breed, category, place.district, m.home_keywords()].filter(Boolean).join(', ')

/** Search engines cut titles after about 60 characters; price and place must fit. */
const TITLE_NAME_LENGTH = 34

/** The page's script handles what the server renders (animal-script.ts). React starts only for the forms of owners, desks and reviewers. */
export default function ProductPage({ loaderData: { shown, app, viewOf, csrf } }: Route.ComponentProps) {
  const hasDesk = app !== null && (app.desk !== null || app.tabs.includes('verification'))
  const drawn = import.meta.env.SSR && { ...readOnServer(shown), csrf }
  return (
    <article data-view-of={viewOf} className="space-y-6">
      <ServerOnly id="animal" isPersonal part={drawn && <Top product={drawn} />} />
      {app?.isOwn && csrf !== undefined && (
        <div data-app="">
          <OwnerPanel product={app} />
        </div>
      )}
      <ServerOnly id="animal-info" isPersonal part={drawn && <ProductInfo product={drawn} />} />
      {hasDesk ? (
        <div data-app="now">
          <DeskTabs product={app} />
        </div>
      ) : (
        <ServerOnly id="animal-tabs" isPersonal part={drawn && <ProductTabs product={drawn} />} />
      )}
      <ServerOnly id="animal-delivery" isPersonal part={drawn && <DeliveryCheck product={drawn} />} />
      <div className="space-y-3">
        <ServerOnly id="animal-reviews" isPersonal part={drawn && <Reviews product={drawn} />} />
        {app && !app.isOwn && csrf !== undefined && (
          <div data-app="">
            <OwnReviewForm product={app} own={app.ownReview} />
          </div>
        )}
      </div>
      <ServerOnly id="animal-foot" isPersonal part={drawn && <Foot product={drawn} />} />
    </article>
  )
}

type ShownProduct = ProductPageData & { ownReview: ReviewInput | null; isReviewed: boolean }
type ProductProps = { product: ShownProduct & { csrf: string | undefined } }

function Top({ product }: ProductProps) {
  return (
    <div className="space-y-4">
      <StateBanner product={product} />
      <div className="grid grid-cols-1 gap-x-10 gap-y-3 first:-mt-4 md:grid-cols-2 md:first:mt-0">
        <ProductGallery photos={product.photos} name={product.name} isSample={product.isSample} notice={lastNotice(product)}>
          <OnPhoto product={product} />
        </ProductGallery>
        <FirstScreen product={product} csrf={product.csrf} />
      </div>
      <ClipList clips={product.clips} />
      {!product.isLoggedIn && <LoginPrompt />}
    </div>
  )
}

const lastNotice = ({ notices, stock, availability, isOwn }: ShownProduct) =>
  notices.areLast && availability === 'available' && !isOwn ? m.product_hurry({ count: stock }) : null

/** React renders the form to review the seller. */
const Reviews = ({ product }: ProductProps) => <SellerReviews product={product} isSaved={product.isReviewed} />

function Foot({ product }: ProductProps) {
  return (
    <div className="space-y-6">
      {product.related.length > 0 && <Related cards={product.related} />}
      <RecentRow />
      <FootLinks product={product} />
      <CompareTray />
    </div>
  )
}

const onPhoto = 'absolute top-2 grid size-11 place-items-center rounded-full bg-paper/90 text-leaf hover:bg-paper print:hidden'

const pressed = 'aria-pressed:bg-leaf aria-pressed:text-white'

/** Back, save, compare and share. */
function OnPhoto({ product }: ProductProps) {
  const to = useLocalPath()
  return (
    <>
      <a href={to(`/buy/${product.categoryId}`)} data-to-list aria-label={m.product_back()} className={`${onPhoto} left-2`}>
        <Icon name="back" size={22} />
      </a>
      {product.state === 'passed' && product.availability === 'available' && !product.isOwn && (
        <>
          <SaveHeart id={product.id} name={product.name} className={`${onPhoto} right-15`} />
          <CompareToggle
            id={product.id}
            name={product.name}
            className={`${onPhoto} ${pressed} right-28 max-[20rem]:top-15 max-[20rem]:right-2`}
          />
        </>
      )}
      {product.state === 'passed' && (
        <a
          href={sharePathOf(product)}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={m.product_share()}
          className={`${onPhoto} right-2`}
        >
          <Icon name="share" size={20} />
        </a>
      )}
    </>
  )
}

function Related({ cards }: { cards: ProductProps['product']['related'] }) {
  return (
    <section>
      <h2 className="mb-3 text-xl">{m.product_related()}</h2>
      <TileRow label={m.product_related()} cards={cards} columns="lg:grid-cols-5" path="/product/related/" />
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
    <p role="status" className="alarm">
      <b className="text-lg">{isSold ? m.product_sold() : m.product_closed()}</b>
      <br />
      {isSold ? m.product_sold_text() : m.product_closed_text()}
    </p>
  )
}

/** Anybody except the seller may report the listing. An admin edits it on the seller's page. */
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
