import { redirect } from 'react-router'
import { z } from 'zod'
import { seesWhole } from '#src/accounts/policy.ts'
import { anyPassword, personName, phoneNumber } from '#src/accounts/schemas.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { bytesOf, formHeaders, formLoader, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { plainFigures, searchText } from '#src/kit/text/plain-text.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { PhoneField } from '#src/accounts/phone-field.tsx'
import { phoneText } from '#src/accounts/phone-text.ts'
import { isMasked } from '#src/accounts/rules.ts'
import { Choice } from '#src/ui/choice.tsx'
import { LostDecision } from '#src/ui/desk-beside.tsx'
import { DeskFilter } from '#src/ui/desk-filter.tsx'
import { Field, fieldsOf, OwnPasswordField } from '#src/ui/field.tsx'
import { FileField } from '#src/ui/file-field.tsx'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { useSendOnce } from '#src/ui/send-once.ts'
import { SheetButton } from '#src/ui/sheet.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { TitledPanel } from '#src/ui/panels.tsx'
import { addBearer, changeBearer, forgetBearer, listBearers, seenBearer } from './bearers.server.ts'
import { DeskHead } from '../desk-head.tsx'
import { BearerPicture } from './bearer-picture.tsx'
import type { Route } from './+types/bearers-page'

const DONE = ['added', 'changed', 'forgotten'] as const
type BearerDone = (typeof DONE)[number]

/** The list of bearers. An admin adds a bearer once and then chooses them for each delivery. */
export const loader = formLoader(async (ctx, { url }) => {
  const text = searchText(url.searchParams.get('q') ?? '', 80)
  const bearers = await listBearers(ctx, text)
  return {
    text,
    bearers: bearers.map(({ id, name, phone, pictureKey, capacity, isActive, changedAt }) => ({
      id,
      name,
      phone,
      pictureKey,
      capacity,
      isActive,
      seen: seenBearer({ changedAt }),
    })),
    done: DONE.find((each) => each === url.searchParams.get('done')) ?? null,
  }
})

/** Blank: not known. Forms of older pages do not send the field. */
const capacity = z
  .string()
  .max(20, 'field_bearer_capacity')
  .overwrite(plainFigures)
  .regex(/^(|1?[1-9]|10|20)$/, 'field_bearer_capacity')
  .transform((text) => (text === '' ? null : Number(text)))
  .optional()
const person = z.object({ name: personName, phone: phoneNumber, capacity })
/** An admin who sees the number masked leaves its field empty to keep it. */
const unseenPerson = person.extend({
  phone: z
    .literal('')
    .transform(() => null)
    .or(phoneNumber),
})

export const action = pageAction('bearers', async (ctx, { form, site }): Promise<never> => {
  const done = (result: BearerDone) => redirect(localized(`/admin/bearers?done=${result}`, ctx.locale))
  const act = textOf(form, 'act')
  if (act === 'add') {
    await addBearer(ctx, site.media, { ...parseInput(person, Object.fromEntries(form)), photo: await bytesOf(form, 'photo') })
    throw done('added')
  }
  const id = parseId(textOf(form, 'id'))
  if (id === null) throw notFound()
  const seen = textOf(form, 'seen')
  if (act === 'change') {
    const input = parseInput(seesWhole(ctx.viewer) ? person : unseenPerson, Object.fromEntries(form))
    await changeBearer(ctx, site.media, id, { ...input, photo: await bytesOf(form, 'photo'), isActive: form.get('isActive') === '1', seen })
    throw done('changed')
  }
  if (act !== 'forget') throw new Problem('MALFORMED')
  const { password } = parseInput(z.object({ password: anyPassword }), { password: textOf(form, 'password') })
  await forgetBearer(ctx, site.media, id, password, seen)
  throw done('forgotten')
})

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.bearers_title(), description: m.bearers_lead() }))

type Bearer = Route.ComponentProps['loaderData']['bearers'][number]

const doneTexts: Record<BearerDone, () => string> = {
  added: m.bearers_done_added,
  changed: m.bearers_done_changed,
  forgotten: m.bearers_done_forgotten,
}

export default function BearersPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  const refused = actionData?.refused
  const { act, id } = refused?.typed ?? {}
  const isLost = refused !== undefined && act !== 'add' && !page.bearers.some((bearer) => String(bearer.id) === id)
  return (
    <div className="space-y-4 py-2">
      <DeskHead
        title={m.bearers_title()}
        links={[
          ['/orders', m.bearers_to_orders()],
          ['/admin/run-sheet', m.run_title()],
        ]}
      />
      <DeskFilter action={to('/admin/bearers')} label={m.desk_search()} find={m.users_find()} text={page.text} />
      {page.done && !refused && <FormDone>{doneTexts[page.done]()}</FormDone>}
      {isLost && <Lost refused={refused} />}
      {refused && !isLost && Object.keys(refused.errors).length === 0 && <FormFailure detail={refused.detail} />}
      <div className="grid items-start gap-4 lg:grid-cols-[1fr_20rem]">
        <div className="min-w-0">
          {page.bearers.length === 0 ? (
            <p className="panel p-4">{page.text ? m.desk_none_found() : m.bearers_none()}</p>
          ) : (
            <ul className="panel divide-y divide-line">
              {page.bearers.map((bearer) => (
                <li key={bearer.id}>
                  <Row bearer={bearer} refused={refused?.typed.id === String(bearer.id) ? refused : undefined} />
                </li>
              ))}
            </ul>
          )}
        </div>
        <Add refused={refused?.typed.act === 'add' ? refused : undefined} key={page.bearers.length} />
      </div>
    </div>
  )
}

/** The refusal of a form whose bearer has left the list: another admin has forgotten them. */
function Lost({ refused }: { refused: FormRefusal }) {
  const place = useFocusOnError<HTMLDivElement>(refused)
  const { name, phone } = refused.typed
  return (
    <div ref={place}>
      <LostDecision refused={{ ...refused, typed: { note: [name, phone].filter(Boolean).join(' · ') } }} gone={refused.detail} />
    </div>
  )
}

function Add({ refused }: { refused: FormRefusal | undefined }) {
  return (
    <TitledPanel id="add-bearer" title={m.bearers_add()} className="panel space-y-3 p-4">
      <PersonForm act="add" refused={refused} />
    </TitledPanel>
  )
}

interface PersonFormProps {
  act: 'add' | 'change'
  refused: FormRefusal | undefined
  bearer?: Bearer | undefined
}

function PersonForm({ act, refused, bearer }: PersonFormProps) {
  const { onSubmit } = useSendOnce(refused)
  const form = useFocusOnError(refused)
  const id = `bearer-${bearer?.id ?? 'new'}`
  const isUnseen = bearer !== undefined && isMasked(bearer.phone)
  return (
    <PostForm ref={form} encType="multipart/form-data" onSubmit={onSubmit} className="grid gap-3">
      <HiddenFields act={act} id={bearer?.id} seen={bearer?.seen} />
      <Field {...fieldsOf(id, refused)('name', bearer?.name)} autoComplete="off" maxLength={80} label={m.profile_name()} />
      <PhoneField
        id={`${id}-phone`}
        defaultValue={refused?.typed.phone ?? (isUnseen ? '' : bearer?.phone)}
        error={refused?.errors.phone}
        hint={isUnseen ? m.bearers_phone_stays() : undefined}
      />
      <Capacity id={id} bearer={bearer} refused={refused} />
      <FileField
        id={`${id}-photo`}
        name="photo"
        label={bearer?.pictureKey ? m.bearers_photo_other() : m.bearers_photo()}
        hint={m.bearers_photo_hint()}
        error={refused?.errors.photo}
      />
      {bearer && (
        <Choice
          type="checkbox"
          name="isActive"
          value="1"
          defaultChecked={refused ? refused.typed.isActive === '1' : bearer.isActive}
          className="gap-2"
        >
          {m.bearers_active_hint()}
        </Choice>
      )}
      <button type="submit" className={act === 'add' ? 'button-primary' : 'button-plain'}>
        {act === 'add' ? m.bearers_add_button() : m.order_save()}
      </button>
    </PostForm>
  )
}

function Row({ bearer, refused }: { bearer: Bearer; refused: FormRefusal | undefined }) {
  return (
    <details open={refused !== undefined || undefined} className="group" key={`${bearer.name} ${bearer.phone} ${bearer.pictureKey}`}>
      <summary className="fold-row">
        <BearerPicture name={bearer.name} pictureKey={bearer.pictureKey} />
        <span className="min-w-0 flex-1 wrap-anywhere">
          <b>
            <bdi>{bearer.name}</bdi>
          </b>
          {!bearer.isActive && <span className="chip-bad ml-2">{m.bearers_inactive()}</span>}
          <span className="block text-sm text-stone">{phoneText(bearer.phone)}</span>
        </span>
        <span className="text-sm font-semibold text-leaf">
          {m.bearers_change()} <span aria-hidden="true" className="fold-arrow" />
        </span>
      </summary>
      <div className="grid max-w-md gap-3 px-4 pb-4">
        {!isMasked(bearer.phone) && (
          <a href={`tel:${bearer.phone}`} className="button-plain justify-self-start">
            <Icon name="phone" size={20} />
            {m.bearers_call({ name: bearer.name })}
          </a>
        )}
        <PersonForm act="change" bearer={bearer} refused={refused?.typed.act === 'change' ? refused : undefined} />
        <Forget bearer={bearer} refused={refused?.typed.act === 'forget' ? refused : undefined} />
      </div>
    </details>
  )
}

/** The space of their vehicle, for the warnings of the run sheet. */
const Capacity = ({ id, bearer, refused }: Omit<PersonFormProps, 'act'> & { id: string }) => (
  <Field
    {...fieldsOf(id, refused)('capacity', String(bearer?.capacity ?? ''))}
    inputMode="numeric"
    autoComplete="off"
    maxLength={2}
    label={m.bearers_capacity()}
    hint={m.bearers_capacity_hint()}
    className="max-w-24"
  />
)

function Forget({ bearer, refused }: { bearer: Bearer; refused: FormRefusal | undefined }) {
  const form = useFocusOnError(refused)
  const id = `forget-${bearer.id}`
  return (
    <>
      {refused && <p className="font-semibold text-brick">{refused.errors.password ?? refused.detail}</p>}
      <SheetButton id={id} className="button-danger justify-self-start" label={m.bearers_forget()}>
        <PostForm ref={form} className="space-y-3">
          <HiddenFields act="forget" id={bearer.id} seen={bearer.seen} />
          <p className="font-semibold">
            <bdi>{bearer.name}</bdi>
          </p>
          <p>{m.bearers_forget_text()}</p>
          <OwnPasswordField id={`${id}-password`} error={refused?.errors.password} />
          <button type="submit" className="button-danger">
            {m.bearers_forget()}
          </button>
        </PostForm>
      </SheetButton>
    </>
  )
}
