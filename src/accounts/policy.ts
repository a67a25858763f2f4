import type { Viewer } from '#src/kit/context.ts'
import { Problem } from '#src/kit/problem.ts'
import { ADMIN_TYPE, maskPhone, SELLER_TYPES, VET_TYPE } from './rules.ts'

/** What a person may do, by user type (decisions.md §2). Pages, calls, menus and desks all ask for these. */
export type Capability = 'buy' | 'sell' | 'vet' | 'operate'

/** Whether somebody (null: a person who is not logged in) may do one act, to its object if it has one. No I/O: what it decides by is given. */
type Rule = (viewer: Viewer | null, object: never) => boolean
type ObjectOf<R> = R extends (viewer: never, ...object: infer O) => boolean ? O : never

/** `can(viewer, 'see-enquiry', enquiry)`: one question for calls, pages, actions and components. */
export type Can<Rules> = <Act extends keyof Rules & string>(viewer: Viewer | null, act: Act, ...object: ObjectOf<Rules[Act]>) => boolean

/**
 * The `can` of a domain, from the rules in its policy.ts. A policy holds those of the domains before it that it builds on, so that a file asks
 * one `can`.
 */
export function policyOf<Rules extends Record<string, Rule>>(rules: Rules): Can<Rules> {
  return (viewer, act, ...object) => (rules[act] as (viewer: Viewer | null, ...object: unknown[]) => boolean)(viewer, ...object)
}

const isOfType = (viewer: Viewer | null, types: readonly number[]) => viewer !== null && types.includes(viewer.typeId)

export const accountRules = {
  buy: (viewer: Viewer | null) => isOfType(viewer, [1, 3, VET_TYPE]),
  sell: (viewer: Viewer | null) => isOfType(viewer, [...SELLER_TYPES, ADMIN_TYPE]),
  vet: (viewer: Viewer | null) => isOfType(viewer, [VET_TYPE]) && viewer!.vetApproved,
  operate: (viewer: Viewer | null) => isOfType(viewer, [ADMIN_TYPE]),
  /** Super admins appoint and remove admins. */
  'appoint-admins': (viewer: Viewer | null) => isOfType(viewer, [ADMIN_TYPE]) && viewer!.superAdmin,
  /** A person's profile, addresses, listings or orders: their own, and open to admins. `null` is everybody's. */
  'see-own': (viewer: Viewer | null, { userId }: { userId: number | null }) => viewer?.id === userId || isOfType(viewer, [ADMIN_TYPE]),
} satisfies Record<Capability, Rule> & Record<string, Rule>

export const can = policyOf(accountRules)

/** The refusal for a logged-in person without the capability: a vet may wait for approval, a buyer may become a seller. */
export function mayNot(viewer: Viewer | null, capability: Capability): Problem {
  if (capability === 'vet' && viewer?.typeId === VET_TYPE) return new Problem('VET_NOT_APPROVED')
  return new Problem('ROLE_FORBIDDEN', capability === 'sell' ? { reason: 'SELLERS_ONLY' } : {})
}

/** AUTH_REQUIRED for an anonymous visitor. */
export function requireLoggedIn({ viewer }: { viewer: Viewer | null }): Viewer {
  if (!viewer) throw new Problem('AUTH_REQUIRED')
  return viewer
}

/** AUTH_REQUIRED for an anonymous visitor; for others without the capability ROLE_FORBIDDEN, or VET_NOT_APPROVED. */
export function requireCan(ctx: { viewer: Viewer | null }, capability: Capability): Viewer {
  const viewer = requireLoggedIn(ctx)
  if (!can(viewer, capability)) throw mayNot(viewer, capability)
  return viewer
}

/**
 * A person's number as an admin sees it: whole for admins with powers, and one's own; else masked (decisions.md §7.12). Whether others may
 * see it at all is checked before.
 */
export const phoneFor = (viewer: Viewer | null, phone: string, ownerId: number | null = null): string =>
  !can(viewer, 'operate') || viewer!.hasPowers || viewer!.id === ownerId ? phone : maskPhone(phone)
