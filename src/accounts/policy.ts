import type { Viewer } from '#src/kit/context.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { ADMIN_TYPE, AGENT_TYPE, HIDDEN_STREET, maskPhone, SELLER_TYPES, VET_TYPE } from './rules.ts'

/** Rights by user type (decisions.md §2). Pages, calls, menus and desks check these. */
export type Capability = 'buy' | 'sell' | 'vet' | 'operate'

/** Whether a viewer (null: anonymous) may do one act, on its object if it has one. Pure function of its arguments. */
type Rule = (viewer: Viewer | null, object: never) => boolean
type ObjectOf<R> = R extends (viewer: never, ...object: infer O) => boolean ? O : never

/** `can(viewer, 'see-enquiry', enquiry)`: the one permission check for calls, pages, actions and components. */
export type Can<Rules> = <Act extends keyof Rules & string>(viewer: Viewer | null, act: Act, ...object: ObjectOf<Rules[Act]>) => boolean

/**
 * Builds the `can` of a domain from the rules in its policy.ts. A policy includes the rules of the earlier domains that it needs, so that a
 * file uses one `can`.
 */
export function policyOf<Rules extends Record<string, Rule>>(rules: Rules): Can<Rules> {
  return (viewer, act, ...object) => (rules[act] as (viewer: Viewer | null, ...object: unknown[]) => boolean)(viewer, ...object)
}

const isOfType = (viewer: Viewer | null, types: readonly number[]) => viewer !== null && types.includes(viewer.typeId)

export const accountRules = {
  buy: (viewer: Viewer | null) => isOfType(viewer, [1, 3, VET_TYPE]),
  sell: (viewer: Viewer | null) => isOfType(viewer, [...SELLER_TYPES, ADMIN_TYPE]),
  vet: (viewer: Viewer | null) => isOfType(viewer, [VET_TYPE]) && viewer!.vetApproved,
  /** A vet, also one who waits for approval. */
  'be-vet': (viewer: Viewer | null) => isOfType(viewer, [VET_TYPE]),
  operate: (viewer: Viewer | null) => isOfType(viewer, [ADMIN_TYPE]),
  /** Agents, and admins for them, list animals of owners without an account. */
  'list-for-owner': (viewer: Viewer | null) => isOfType(viewer, [AGENT_TYPE, ADMIN_TYPE]),
  'appoint-admins': (viewer: Viewer | null) => isOfType(viewer, [ADMIN_TYPE]) && viewer!.superAdmin,
  /** A person's profile, addresses, listings or orders: the owner and admins. `null` means everybody's. */
  'see-own': (viewer: Viewer | null, { userId }: { userId: number | null }) => viewer?.id === userId || isOfType(viewer, [ADMIN_TYPE]),
} satisfies Record<Capability, Rule> & Record<string, Rule>

export const can = policyOf(accountRules)

/**
 * The refusal for a logged-in person without the capability. The message differs for a vet who waits for approval and for a buyer, who may
 * become a seller.
 */
export function mayNot(viewer: Viewer | null, capability: Capability): Problem {
  if (capability === 'vet' && viewer?.typeId === VET_TYPE) return new Problem('VET_NOT_APPROVED')
  return new Problem('ROLE_FORBIDDEN', capability === 'sell' ? { reason: 'SELLERS_ONLY' } : {})
}

/** AUTH_REQUIRED for an anonymous visitor. */
export function requireLoggedIn({ viewer }: { viewer: Viewer | null }): Viewer {
  if (!viewer) throw new Problem('AUTH_REQUIRED')
  return viewer
}

/** AUTH_REQUIRED for an anonymous visitor; ROLE_FORBIDDEN or VET_NOT_APPROVED for people without the capability. */
export function requireCan(ctx: { viewer: Viewer | null }, capability: Capability): Viewer {
  const viewer = requireLoggedIn(ctx)
  if (!can(viewer, capability)) throw mayNot(viewer, capability)
  return viewer
}

/**
 * Decides for every page and answer whether a viewer sees a phone or a street whole: admins without powers see only their own (decisions.md
 * §7.12, decision 0114). The caller checks first whether the viewer may see the person or the place at all.
 */
export const seesWhole = (viewer: Viewer | null, ownerId: number | null = null): boolean =>
  !can(viewer, 'operate') || viewer?.hasPowers === true || viewer?.id === ownerId

/** The phone as this viewer sees it: whole or masked. */
export const phoneFor = (viewer: Viewer | null, phone: string, ownerId: number | null = null): string =>
  phone === '' || seesWhole(viewer, ownerId) ? phone : maskPhone(phone)

/** Phone and street of a place as this viewer sees them. Name, town and PIN code stay. */
export const placeFor = <P extends { phone: string; address1: string; address2: string }>(
  viewer: Viewer | null,
  place: P,
  ownerId: number | null = null,
): P =>
  seesWhole(viewer, ownerId)
    ? place
    : { ...place, phone: phoneFor(viewer, place.phone, ownerId), address1: hidden(place.address1), address2: hidden(place.address2) }

const hidden = (street: string) => (street === '' ? '' : HIDDEN_STREET)
