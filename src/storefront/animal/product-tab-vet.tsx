import { m } from '#src/paraglide/messages.js'
import { mediaUrl } from '#src/kit/media/media-url.ts'
import { deferred } from '#src/document/deferred.tsx'
import { Picture, PictureGround } from '#src/ui/picture.tsx'
import type { ProductPageData } from './product-view.server.ts'
import { findingTexts, findingWords, type FindingPart } from '#src/health/vet-findings.ts'

type Props = { product: ProductPageData }

// Only vets load this code.
const VetDesk = deferred('vet-desk', async () => (await import('#src/health/vet-desk.tsx')).VetDesk)

/** Tab 3: the vets' findings, newest first; above them, a vet's own actions. */
export function VetPanel({ product }: Props) {
  return (
    <>
      {product.desk && <VetDesk product={product} from="product" />}
      {product.vetChecks.length === 0 ? (
        <p className="px-4 py-6">{m.product_no_vet_checks()}</p>
      ) : (
        <ul>
          {product.vetChecks.map((check) => (
            <CheckRow key={check.id} check={check} />
          ))}
        </ul>
      )}
    </>
  )
}

function CheckRow({ check }: { check: Check }) {
  return (
    <li className="border-b border-line px-4 py-3 last:border-0">
      <VetCheckText check={check} />
    </li>
  )
}

type Check = ProductPageData['vetChecks'][number]

/** One vet's findings of one day. */
export function VetCheckText({ check }: { check: Check }) {
  return (
    <>
      <p className="row gap-2">
        <b className={check.approved ? 'chip-good' : 'chip-bad'}>{check.approved ? m.product_vet_pass() : m.product_vet_fail()}</b>
        <span>
          {m.product_vet_on()}: {check.on}
        </span>
      </p>
      <p className={check.isOld ? 'text-sm text-brick' : 'text-sm text-stone'}>
        {check.isOfOtherAnimal
          ? m.product_vet_changed()
          : check.isOld
            ? m.product_vet_ran_out({ day: check.until })
            : m.product_vet_valid({ day: check.until })}
      </p>
      <p className="mt-1 whitespace-pre-line">{check.comments}</p>
      <Findings findings={check.findings} />
      <CheckPhotos check={check} />
      <p className="mt-1 text-sm text-stone">
        {m.product_vet_by()}: {check.by}
      </p>
    </>
  )
}

/** The vet's photos; each opens in full size. */
function CheckPhotos({ check }: { check: Check }) {
  if (check.photos.length === 0) return null
  return (
    <ul className="mt-2 grid max-w-sm grid-cols-3 gap-2">
      {check.photos.map((photo, index) => (
        <li key={photo.key}>
          <a
            href={mediaUrl(photo.key, 1280, 'jpeg')}
            target="_blank"
            rel="noopener"
            className="relative block aspect-4/3 overflow-hidden rounded-control"
          >
            <PictureGround color={photo.color} hash={photo.hash} />
            <Picture
              mediaKey={photo.key}
              alt={m.product_vet_photo({ number: index + 1, day: check.on })}
              isSmall
              sizes="128px"
              width={photo.width}
              height={photo.height}
              className="fill-picture"
            />
          </a>
        </li>
      ))}
    </ul>
  )
}

const parts: FindingPart[] = ['teeth', 'udder', 'gait', 'skin']

/** The vet's other findings, without body parts that they did not examine. */
function Findings({ findings }: { findings: ProductPageData['vetChecks'][number]['findings'] }) {
  const rows: [string, string][] = []
  if (findings.temperatureC !== null) rows.push([m.vet_temperature(), `${findings.temperatureC} °C`])
  if (findings.bodyCondition !== null) rows.push([m.vet_condition(), m.vet_condition_value({ score: findings.bodyCondition })])
  for (const part of parts) {
    const value = findings[part]
    if (value !== null) rows.push([findingTexts[part](), findingWords[value]()])
  }
  if (rows.length === 0) return null
  return (
    <dl className="mt-2 flex flex-wrap gap-2">
      {rows.map(([label, value]) => (
        <div key={label} className="rounded-control bg-husk-dark px-3 py-1 text-sm">
          <dt className="inline text-stone">{label}: </dt>
          <dd className="inline font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
