import { redirect } from 'react-router'
import { useState } from 'react'
import type { Ctx } from '#src/kit/context.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { bytesOf, formHeaders, formLoader, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { parseId, idIn } from '#src/kit/ids.ts'
import { clipLimits } from '#src/kit/media/clips/clip-limits.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { milkingTimeText } from '#src/listings/proofs/milking-time-text.ts'
import { MAX_MILKINGS, MILKING_TIMES } from '#src/listings/proofs/proof-rules.ts'
import { Field, fieldsOf, Unit } from '#src/ui/field.tsx'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Thumbnail } from '#src/ui/picture.tsx'
import { VideoPlayer } from '#src/ui/player.tsx'
import { PostForm } from '#src/ui/post-form.tsx'
import { RadioCards } from '#src/ui/radio-cards.tsx'
import { useSendOnce } from '#src/ui/send-once.ts'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { milkingInput } from './milking-schema.ts'
import { addMilking, removeMilking, type SentMilkingClip } from './milkings.server.ts'
import { readProofs } from './proofs-view.server.ts'
import { ClipInput } from './clip-input.tsx'
import type { ProofState } from './own-proofs.server.ts'
import type { Route } from './+types/proofs-page'

export const loader = formLoader((ctx, { params, url }) => readProofs(ctx, idIn(params.listingId), url.searchParams))

export const action = pageAction('proofs', async (ctx, { params, form, site }): Promise<never> => {
  const id = idIn(params.listingId)
  const [act = '', which = ''] = textOf(form, 'act').split(':')
  try {
    await take(ctx, site.media, id, { act, which, form })
  } catch (error) {
    // The API answers 415 and 413; a form shows these errors at its field.
    if (error instanceof Problem && error.code !== 'VALIDATION' && error.fields) throw new Problem('VALIDATION', { fields: error.fields })
    throw error
  }
  throw redirect(localized(`/seller-product/${id}/proofs?done=${act}`, ctx.locale))
})

async function take(ctx: Ctx, media: MediaStore, id: number, { act, which, form }: { act: string; which: string; form: FormData }) {
  switch (act) {
    case 'milking': {
      const milking = parseInput(milkingInput, Object.fromEntries(form))
      return addMilking(ctx, media, id, { ...milking, clip: await clipIn(form) })
    }
    case 'unmilk': {
      const milkingId = parseId(which)
      if (milkingId === null) throw notFound()
      return removeMilking(ctx, media, milkingId)
    }
    default:
      throw new Problem('MALFORMED')
  }
}

/** The clip: uploaded before by script, or posted with the form. */
async function clipIn(form: FormData): Promise<SentMilkingClip | null> {
  const upload = textOf(form, 'upload')
  if (/^[a-z0-9]{20}$/.test(upload)) return { file: { upload }, still: await bytesOf(form, 'still') }
  const file = await bytesOf(form, 'clip')
  if (file && file.length > clipLimits.video.bytes)
    throw new Problem('TOO_LARGE', { fields: [{ field: 'clip', message: 'field_clip_large' }] })
  return file && { file, still: null }
}

/** Farms have poor coverage: the typed text survives an offline submit. */
export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.proofs_title(), description: m.proofs_lead() }))

type ProofsData = Route.ComponentProps['loaderData']

interface Props {
  page: ProofsData
  refused: FormRefusal | undefined
}

const doneTexts = { milking: m.proofs_done_milking, unmilk: m.proofs_done_removed }

const states: Record<ProofState, { text: () => string; look: string }> = {
  said: { text: m.milk_seller_says, look: 'bg-husk-dark text-stone' },
  waiting: { text: m.proof_state_waiting, look: 'bg-turmeric-soft' },
  seen: { text: m.proof_state_seen, look: 'bg-leaf-soft text-leaf' },
  refused: { text: m.proof_state_refused, look: 'bg-brick-soft text-brick' },
  old: { text: m.proof_state_old, look: 'bg-husk-dark text-stone' },
}

export default function ProofsPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const refused = actionData?.refused
  const to = useLocalPath()
  const act = refused?.typed.act?.split(':')[0]
  return (
    <div className="mx-auto max-w-xl space-y-5">
      <a href={to('/seller-product/')} className="tap-link font-semibold">
        {m.proofs_back()}
      </a>
      <h1 className="text-2xl">{m.proofs_title()}</h1>
      <a href={to(`/product/${page.id}`)} className="link-panel">
        {page.photoKey && <Thumbnail mediaKey={page.photoKey} width={72} height={72} className="size-18 rounded-control object-cover" />}
        <span className="min-w-0 break-words">{page.name}</span>
      </a>
      {page.done && !refused && <FormDone>{doneTexts[page.done]()}</FormDone>}
      {refused && act !== 'milking' && <FormFailure detail={refused.detail} />}
      <Milk page={page} refused={act === 'milking' ? refused : undefined} />
    </div>
  )
}

function Milk({ page, refused }: Props) {
  const { milkings } = page
  return (
    <section aria-labelledby="milk-title" className="form-panel gap-4 sm:p-5">
      <div>
        <h2 id="milk-title" className="text-lg">
          {m.proofs_milk()}
        </h2>
        <p className="text-sm text-stone">{page.isInMilk ? m.proofs_milk_hint() : m.proofs_dry()}</p>
      </div>
      {milkings.length > 0 && (
        <ul className="grid gap-2">
          {milkings.map((milking) => (
            <MilkingRow key={milking.id} milking={milking} />
          ))}
        </ul>
      )}
      {page.isInMilk && milkings.length < MAX_MILKINGS && <MilkingForm key={milkings.length} page={page} refused={refused} />}
      {page.isInMilk && milkings.length >= MAX_MILKINGS && <p className="text-sm">{m.proofs_milk_full()}</p>}
    </section>
  )
}

const State = ({ state }: { state: ProofState }) => <span className={`chip ${states[state].look}`}>{states[state].text()}</span>

function MilkingRow({ milking }: { milking: ProofsData['milkings'][number] }) {
  const { id, day, time, litres, clip, state } = milking
  const name = `${day} · ${milkingTimeText(time)}`
  return (
    <li className="field-box">
      <div className="flex items-start gap-2">
        <p className="min-w-0 grow">
          <b>{m.product_litres({ litres })}</b>
          <span className="block text-sm text-stone">{name}</span>
          <State state={state} />
        </p>
        <RemoveButton act={`unmilk:${id}`} label={m.proofs_remove({ what: name })} />
      </div>
      {clip && (
        <VideoPlayer src={clip.url} name={m.milk_clip({ day })} still={clip.still} className="aspect-video w-full rounded bg-husk-dark" />
      )}
    </li>
  )
}

const RemoveButton = ({ act, label }: { act: string; label: string }) => (
  <PostForm>
    <button type="submit" name="act" value={act} aria-label={label} className="icon-button shrink-0 hover:bg-brick-soft">
      <Icon name="close" size={20} />
    </button>
  </PostForm>
)

function MilkingForm({ page, refused }: Props) {
  const form = useFocusOnError(refused)
  const send = useSendOnce(refused)
  const [isClipBusy, setClipBusy] = useState(false)
  const { typed = {}, errors = {} }: Partial<Pick<FormRefusal, 'typed' | 'errors'>> = refused ?? {}
  return (
    <PostForm ref={form} encType="multipart/form-data" onSubmit={send.onSubmit} noValidate className="grid gap-4">
      <Field
        id="milked-on"
        name="milkedOn"
        type="date"
        label={m.milking_day()}
        min={page.earliest}
        max={page.today}
        defaultValue={typed.milkedOn ?? page.today}
        error={errors.milkedOn}
      />
      <RadioCards
        id="milking-time"
        name="time"
        legend={m.milking_time()}
        options={MILKING_TIMES.map((time) => ({ id: time, name: milkingTimeText(time) }))}
        chosen={typed.time}
        columns="grid-cols-2"
        error={errors.time}
      />
      <Field
        {...fieldsOf('milking', refused)('litres')}
        label={m.milking_litres()}
        inputMode="decimal"
        autoComplete="off"
        maxLength={5}
        after={<Unit>{m.sell_litres()}</Unit>}
      />
      <ClipInput error={errors.clip ?? errors.still} uploaded={typed.upload} onBusy={setClipBusy} />
      {refused && refused.code !== 'VALIDATION' && <FormFailure detail={refused.detail} />}
      <button type="submit" name="act" value="milking" disabled={isClipBusy} className="button-primary w-full">
        {m.milking_add()}
      </button>
    </PostForm>
  )
}
