import { useState } from 'react'
import { Form } from 'react-router'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { milkingTimeText } from '#src/listings/proofs/milking-time-text.ts'
import { MAX_MILKINGS, MILKING_TIMES } from '#src/listings/proofs/proof-rules.ts'
import { m } from '#src/paraglide/messages.js'
import { Field, fieldsOf, Unit } from '#src/ui/field.tsx'
import { FileField } from '#src/ui/file-field.tsx'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Picture } from '#src/ui/picture.tsx'
import { VideoPlayer } from '#src/ui/player.tsx'
import { RadioCards } from '#src/ui/radio-cards.tsx'
import { useSendOnce } from '#src/ui/send-once.ts'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { ClipInput } from './clip-input.tsx'
import type { ProofState } from './own-proofs.server.ts'
import type { ProofsData } from './proofs-page.tsx'

interface Props {
  page: ProofsData
  refused: FormRefusal | undefined
}

const doneTexts = {
  milking: m.proofs_done_milking,
  unmilk: m.proofs_done_removed,
  photo: m.proofs_done_photo,
  unphoto: m.proofs_done_removed,
}

const states: Record<ProofState, { text: () => string; look: string }> = {
  said: { text: m.milk_seller_says, look: 'bg-husk-dark text-stone' },
  waiting: { text: m.proof_state_waiting, look: 'bg-turmeric-soft' },
  seen: { text: m.proof_state_seen, look: 'bg-leaf-soft text-leaf' },
  refused: { text: m.proof_state_refused, look: 'bg-brick-soft text-brick' },
  old: { text: m.proof_state_old, look: 'bg-husk-dark text-stone' },
}

export function ProofsView({ page, refused }: Props) {
  const to = useLocalPath()
  const act = refused?.typed.act?.split(':')[0]
  const isOfForm = act === 'milking' || act === 'photo'
  return (
    <div className="mx-auto max-w-xl space-y-5">
      <a href={to('/seller-product/')} className="tap-link font-semibold">
        {m.proofs_back()}
      </a>
      <h1 className="text-2xl">{m.proofs_title()}</h1>
      <a href={to(`/product/${page.id}`)} className="link-panel">
        {page.photoKey && (
          <Picture
            mediaKey={page.photoKey}
            alt=""
            isSmall
            sizes="72px"
            width={72}
            height={72}
            className="size-18 rounded-control object-cover"
          />
        )}
        <span className="min-w-0 break-words">{page.name}</span>
      </a>
      {page.done && !refused && <FormDone>{doneTexts[page.done]()}</FormDone>}
      {refused && !isOfForm && <FormFailure detail={refused.detail} />}
      <Milk page={page} refused={act === 'milking' ? refused : undefined} />
      {page.isAnimal && <DayPhoto page={page} refused={act === 'photo' ? refused : undefined} />}
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
            <MilkingRow key={milking.id} milking={milking} csrf={page.csrf} />
          ))}
        </ul>
      )}
      {page.isInMilk && milkings.length < MAX_MILKINGS && <MilkingForm key={milkings.length} page={page} refused={refused} />}
      {page.isInMilk && milkings.length >= MAX_MILKINGS && <p className="text-sm">{m.proofs_milk_full()}</p>}
    </section>
  )
}

const State = ({ state }: { state: ProofState }) => <span className={`chip ${states[state].look}`}>{states[state].text()}</span>

function MilkingRow({ milking, csrf }: { milking: ProofsData['milkings'][number]; csrf: string }) {
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
        <RemoveButton act={`unmilk:${id}`} csrf={csrf} label={m.proofs_remove({ what: name })} />
      </div>
      {clip && (
        <VideoPlayer src={clip.url} name={m.milk_clip({ day })} still={clip.still} className="aspect-video w-full rounded bg-husk-dark" />
      )}
    </li>
  )
}

const RemoveButton = ({ act, csrf, label }: { act: string; csrf: string; label: string }) => (
  <Form method="post">
    <input type="hidden" name="csrf" value={csrf} />
    <button type="submit" name="act" value={act} aria-label={label} className="icon-button shrink-0 hover:bg-brick-soft">
      <Icon name="close" size={20} />
    </button>
  </Form>
)

function MilkingForm({ page, refused }: Props) {
  const form = useFocusOnError(refused)
  const send = useSendOnce(refused)
  const [isClipBusy, setClipBusy] = useState(false)
  const { typed = {}, errors = {} }: Partial<Pick<FormRefusal, 'typed' | 'errors'>> = refused ?? {}
  return (
    <Form ref={form} method="post" encType="multipart/form-data" onSubmit={send.onSubmit} noValidate className="grid gap-4">
      <input type="hidden" name="csrf" value={page.csrf} />
      <Field
        id="milked-on"
        name="milkedOn"
        type="date"
        label={m.milking_day()}
        min={page.earliest}
        max={page.today.day}
        defaultValue={typed.milkedOn ?? page.today.day}
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
    </Form>
  )
}

function DayPhoto({ page, refused }: Props) {
  const { dayPhoto, today } = page
  return (
    <section aria-labelledby="day-title" className="form-panel gap-4 sm:p-5">
      <div>
        <h2 id="day-title" className="text-lg">
          {m.day_photo_title()}
        </h2>
        <p className="text-sm text-stone">{m.day_photo_hint()}</p>
      </div>
      <p className="notice text-center">
        <span className="block text-sm">{m.day_photo_word({ day: today.text })}</span>
        <b lang="ta" className="block text-2xl">
          {today.words[0]}
        </b>
        <span lang="en" className="text-sm">
          {today.words[1]}
        </span>
      </p>
      {dayPhoto && <SentPhoto photo={dayPhoto} csrf={page.csrf} />}
      <DayPhotoForm key={dayPhoto?.key} page={page} refused={refused} />
    </section>
  )
}

function SentPhoto({ photo, csrf }: { photo: NonNullable<ProofsData['dayPhoto']>; csrf: string }) {
  return (
    <div className="flex items-start gap-3">
      <Picture
        mediaKey={photo.key}
        alt={m.day_photo_alt()}
        isSmall
        sizes="96px"
        width={96}
        height={96}
        className="size-24 rounded-control object-cover"
      />
      <p className="min-w-0 grow">
        <b>{photo.word}</b>
        <span className="block text-sm text-stone">{photo.when}</span>
        <State state={photo.state} />
      </p>
      <RemoveButton act="unphoto" csrf={csrf} label={m.proofs_remove({ what: m.day_photo_title() })} />
    </div>
  )
}

function DayPhotoForm({ page, refused }: Props) {
  const form = useFocusOnError(refused)
  const send = useSendOnce(refused)
  return (
    <Form ref={form} method="post" encType="multipart/form-data" onSubmit={send.onSubmit} noValidate className="grid gap-4">
      <input type="hidden" name="csrf" value={page.csrf} />
      <input type="hidden" name="day" value={page.today.day} />
      <FileField
        id="day-photo"
        name="image"
        label={page.dayPhoto ? m.day_photo_again() : m.day_photo_choose()}
        error={refused?.errors.image}
      />
      {refused && refused.code !== 'VALIDATION' && <FormFailure detail={refused.detail} />}
      <button type="submit" name="act" value="photo" className="button-primary w-full">
        {m.day_photo_send()}
      </button>
    </Form>
  )
}
