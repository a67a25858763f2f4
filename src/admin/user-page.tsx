import { redirect } from 'react-router'
import { z } from 'zod'
import { badgeNote, vetRegistration } from '#src/accounts/profile/profile-schemas.ts'
import { userTypes } from '#src/accounts/reference-data.ts'
import type { InternalType } from '#src/accounts/rules.ts'
import { anyPassword } from '#src/accounts/schemas.ts'
import {
  approveVet,
  decideTypeRequest,
  setActive,
  setBadge,
  setPowers,
  undoDecision,
  withdrawVet,
} from '#src/accounts/people/users.server.ts'
import { undoably } from '#src/accounts/undo.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { idIn } from '#src/kit/ids.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { reasonsOf } from './bulk/bulk-acts.ts'
import { UserView } from './user.tsx'
import { readUserPage } from './user-view.server.ts'
import type { Route } from './+types/user-page'

export const loader = formLoader(readUserPage)

export const action = pageAction('user', async (ctx, { params, form }) => {
  const id = idIn(params.userId)
  const decision = decisions.get(textOf(form, 'act'))
  if (!decision) throw new Problem('MALFORMED')
  // A form of an older release names its choice in this field.
  if (form.has('active')) throw new Problem('VERSION')
  await decision(ctx, id, form)
  throw redirect(localized(`/admin/users/${id}?done=${textOf(form, 'done') || textOf(form, 'act')}`, ctx.locale))
})

export const headers = formHeaders

const internalType = z.coerce.number().pipe(z.literal([0, 1, 2, 3])) as z.ZodType<InternalType>
const anyType = z.coerce
  .number('field_profile_type_blank')
  .refine((id) => id > 0 && userTypes.some((type) => type.id === id), 'field_profile_type_blank')

const seenIn = (form: FormData) => textOf(form, 'seen')

/** The fields of a form, with the admin's password and the state that they saw. */
const read = <T extends z.ZodRawShape>(form: FormData, fields: T) => {
  const input = parseInput(z.object({ ...fields, password: anyPassword }), Object.fromEntries(form))
  return { ...input, seen: seenIn(form) }
}
const badge = { note: badgeNote }
const deactivationReason = z.enum(reasonsOf.deactivate, 'field_users_bulk_reason')

/** The page's forms by name; the commands check permissions. */
const decisions = new Map<string, (ctx: Ctx, id: number, form: FormData) => Promise<void>>(
  Object.entries({
    approve: (ctx, id, form) => decideTypeRequest(ctx, id, true, seenIn(form)),
    refuse: (ctx, id, form) => undoably(ctx, (ctx) => decideTypeRequest(ctx, id, false, seenIn(form))),
    vet: (ctx, id, form) => approveVet(ctx, id, read(form, { registration: vetRegistration })),
    'vet-withdraw': (ctx, id, form) => withdrawVet(ctx, id, read(form, {})),
    badge: (ctx, id, form) => setBadge(ctx, id, { ...read(form, badge), isVerified: true }),
    'badge-withdraw': (ctx, id, form) => setBadge(ctx, id, { ...read(form, badge), isVerified: false }),
    active: (ctx, id, form) => setActive(ctx, id, { ...read(form, {}), isActive: true }),
    deactivate: (ctx, id, form) => setActive(ctx, id, { ...read(form, { reason: deactivationReason }), isActive: false }),
    undo: undoDecision,
    powers: (ctx, id, form) => setPowers(ctx, id, read(form, { typeId: anyType, internalType })),
  }),
)

export const meta = plainMeta<Route.MetaArgs>((page) => ({ title: page.user.name, description: m.users_one_lead() }))

export default function UserPage({ loaderData, actionData }: Route.ComponentProps) {
  return <UserView {...loaderData} refused={actionData?.refused} />
}
