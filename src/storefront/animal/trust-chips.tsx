import type { ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Icon, type IconName } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { SheetButton } from '#src/ui/sheet.tsx'
import type { ProductPageData } from './product-view.server.ts'
import { VetCheckText } from './product-tab-vet.tsx'

type Props = { product: ProductPageData }

/** Trust signs of the animal and its seller, each with its proof in a sheet that opens without a script. */
export function TrustChips({ product }: Props) {
  const check = product.vetChecks[0]
  const isChecked = check?.approved === true && !check.isOld
  const { isVerified } = product.seller
  const vaccines = product.vaccinations.length
  if (!isVerified && !isChecked && vaccines === 0) return null
  return (
    <ul
      aria-label={m.product_trust()}
      className="-mx-4 flex gap-x-1.5 overflow-x-auto px-4 whitespace-nowrap [scrollbar-width:none] md:mx-0 md:flex-wrap md:px-0"
    >
      {isVerified && (
        <Chip id="proof-seller" icon="badge" text={m.product_trust_seller()} title={m.product_proof_seller()}>
          <SellerProof product={product} />
        </Chip>
      )}
      {isChecked && (
        <Chip id="proof-vet" icon="stethoscope" text={m.product_trust_vet({ day: check.shortOn })} title={m.product_tab_vet()}>
          <VetCheckText check={check} />
          <More product={product} tab="vet" />
        </Chip>
      )}
      {vaccines > 0 && (
        <Chip
          id="proof-vaccines"
          icon="syringe"
          text={vaccines === 1 ? m.product_trust_vaccine_one() : m.product_trust_vaccines({ count: vaccines })}
          title={m.product_tab_vaccination()}
        >
          <ul className="space-y-2">
            {product.vaccinations.map((v) => (
              <li key={v.id}>
                <b>{v.vaccine}</b>
                <br />
                {v.dose} · {v.on}
              </li>
            ))}
          </ul>
          <More product={product} tab="vaccination" />
        </Chip>
      )}
    </ul>
  )
}

/** A chip as low as a text line with a 44 px target. */
function Chip(props: { id: string; icon: IconName; text: string; title: string; children: ReactNode }) {
  return (
    <li>
      <SheetButton
        id={props.id}
        className="group flex min-h-11 cursor-pointer items-center"
        label={
          <span className="chip-good group-hover:underline">
            <Icon name={props.icon} size={16} className="shrink-0" />
            {props.text}
          </span>
        }
        title={props.title}
      >
        {props.children}
      </SheetButton>
    </li>
  )
}

function SellerProof({ product: { seller } }: Props) {
  const to = useLocalPath()
  return (
    <>
      <p>{m.product_proof_seller_text({ name: seller.name })}</p>
      <a href={to(`/seller/${seller.id}`)} className="tap-link mt-2 font-semibold">
        {m.product_proof_more()}
      </a>
    </>
  )
}

function More({ product, tab }: Props & { tab: 'vet' | 'vaccination' }) {
  const to = useLocalPath()
  return (
    <a href={to(`/product/${product.id}?tab=${tab}#details`)} className="tap-link mt-2 font-semibold">
      {m.product_proof_more()}
    </a>
  )
}
