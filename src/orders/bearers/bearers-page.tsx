import { redirect } from 'react-router'
import { z } from 'zod'
import { seesWhole } from '#src/accounts/policy.ts'
import { anyPassword, personName, phoneNumber } from '#src/accounts/schemas.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { addBearer, changeBearer, forgetBearer, listBearers, seenBearer } from './bearers.server.ts'
import { BearersView } from './bearers-view.tsx'
import type { Route } from './+types/bearers-page'

const DONE = ['added', 'changed', 'forgotten'] as const
export type BearerDone = (typeof DONE)[number]

/** The list of bearers. An admin adds a bearer once and then chooses them for each delivery. */
export const loader = formLoader(async (ctx, { url }) => {
  const bearers = await listBearers(ctx)
  return {
    locale: ctx.locale,
    origin: ctx.publicOrigin,
    bearers: bearers.map(({ id, name, phone, pictureKey, isActive, changedAt }) => ({
      id,
      name,
      phone,
      pictureKey,
      isActive,
      seen: seenBearer({ changedAt }),
    })),
    done: DONE.find((each) => each === url.searchParams.get('done')) ?? null,
  }
})

const person = z.object({ name: personName, phone: phoneNumber })
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
    await addBearer(ctx, site.media, { ...parseInput(person, Object.fromEntries(form)), photo: await photoIn(form) })
    throw done('added')
  }
  const id = parseId(textOf(form, 'id'))
  if (id === null) throw notFound()
  const seen = textOf(form, 'seen')
  if (act === 'change') {
    const input = parseInput(seesWhole(ctx.viewer) ? person : unseenPerson, Object.fromEntries(form))
    await changeBearer(ctx, site.media, id, { ...input, photo: await photoIn(form), isActive: form.get('isActive') === '1', seen })
    throw done('changed')
  }
  if (act !== 'forget') throw new Problem('MALFORMED')
  const { password } = parseInput(z.object({ password: anyPassword }), { password: textOf(form, 'password') })
  await forgetBearer(ctx, site.media, id, password, seen)
  throw done('forgotten')
})

async function photoIn(form: FormData): Promise<Buffer | null> {
  const photo = form.get('photo')
  return photo instanceof File && photo.size > 0 ? Buffer.from(await photo.arrayBuffer()) : null
}

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? plainMeta({
        ...loaderData,
        path: '/admin/bearers',
        title: m.bearers_title(),
        description: m.bearers_lead(),
      })
    : []

export default function BearersPage({ loaderData, actionData }: Route.ComponentProps) {
  return <BearersView page={loaderData} refused={actionData?.refused} />
}

export type BearersPageData = Route.ComponentProps['loaderData']
