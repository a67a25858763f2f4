import { z } from 'zod'
import { vetRegistration } from '#src/accounts/profile/profile-schemas.ts'
import { seenUsers } from '#src/accounts/people/seen-user.server.ts'
import { userTypes } from '#src/accounts/reference-data.ts'
import { maskPhone } from '#src/accounts/rules.ts'
import { anyPassword } from '#src/accounts/schemas.ts'
import { USERS_PER_PAGE } from '#src/accounts/people/users.server.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import type { Ctx } from '#src/kit/context.ts'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { parseId } from '#src/kit/ids.ts'
import { invalidField } from '#src/kit/base/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { bulkActs, reasonsOf, type BulkAct } from './bulk-acts.ts'
import { actOnUsers, undoDeactivations, whomItConcerns, type BulkResult } from './bulk-users.server.ts'
import { BulkUsersView } from './bulk-users-view.tsx'
import type { Route } from './+types/bulk-users-page'

/** The step before an act on several people: shows who can be acted on, and who cannot and why. */
export const loader = formLoader(async (ctx, { url }) => {
  const { act, ids } = chosenIn(url.searchParams)
  // Read before the facts, so that a decision between the two reads is refused.
  const seen = await seenUsers(ctx, ids)
  const concerned = await whomItConcerns(ctx, act, ids)
  return {
    act,
    people: concerned.map(({ user, obstacle }) => ({
      id: user.id,
      name: user.name,
      phone: maskPhone(user.phone),
      type: userTypes.find(({ id }) => id === user.typeId)?.[ctx.locale] ?? '',
      registration: user.vetRegistration ?? '',
      seen: seen.get(user.id) ?? '',
      obstacle,
    })),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

function chosenIn(query: URLSearchParams): { act: BulkAct; ids: number[] } {
  const ids = query.getAll('ids').flatMap((id) => parseId(id) ?? [])
  return { act: bulkActs.find((each) => each === query.get('act')) ?? bulkActs[0], ids: [...new Set(ids)].slice(0, USERS_PER_PAGE) }
}

export const action = pageAction('bulk-users', async (ctx, { form, url }): Promise<BulkResult> => {
  const { act, ids } = chosenIn(url.searchParams)
  if (ids.length === 0) throw invalidField('ids', 'field_users_bulk_none')
  if (form.has('undo')) return { ends: await undoDeactivations(ctx, ids), isUndone: true }
  const { reason, password } = parseInput(
    z.object({ reason: z.enum(reasonsOf[act], 'field_users_bulk_reason'), password: anyPassword }),
    Object.fromEntries(form),
  )
  const registrations = act === 'approve-vets' ? await registrationsIn(ctx, ids, form) : new Map<number, string>()
  const seen = new Map(ids.map((id) => [id, textOf(form, `seen-${id}`)]))
  return { ends: await actOnUsers(ctx, act, { ids, reason, password, registrations, seen }), isUndone: false }
})

/**
 * The registration number of each vet who can be approved, or could when the form was rendered.
 * VALIDATION names the first vet without one.
 */
async function registrationsIn(ctx: Ctx, ids: number[], form: FormData): Promise<Map<number, string>> {
  const concerned = await whomItConcerns(ctx, 'approve-vets', ids)
  const able = concerned.filter(({ user, obstacle }) => obstacle === null || form.has(`registration-${user.id}`)).map(({ user }) => user.id)
  const fields = able.map((id) => `registration-${id}`)
  const typed = parseInput(
    z.object(Object.fromEntries(fields.map((field) => [field, vetRegistration]))),
    Object.fromEntries(fields.map((field) => [field, textOf(form, field)])),
  )
  return new Map(able.map((id) => [id, typed[`registration-${id}`]!]))
}

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/admin/users/bulk', title: m.users_bulk(), description: m.users_bulk_lead() }) : []

export default function BulkUsersPage({ loaderData, actionData }: Route.ComponentProps) {
  return <BulkUsersView {...loaderData} refused={actionData?.refused} result={actionData?.done} />
}

export type BulkUsersData = Route.ComponentProps['loaderData']
