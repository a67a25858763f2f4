import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { actions, policy } from '#src/policy.ts'

/** Forms and calls that do the same: action, act of its form, call. */
const pairs: [action: string, act: string, call: string][] = [
  ['login', '', 'POST /login'],
  ['login-code', '', 'PUT /login-code'],
  ['register', 'start', 'POST /user'],
  ['register', 'verify', 'PUT /userprofile/id={userId}'],
  ['register', 'resend', 'POST /auth/otp/resend'],
  ['reset-password', 'start', 'PATCH /init-forgot-password/userphone=+{phone}'],
  ['reset-password', 'save', 'PATCH /reset-password/userphone=+{phone}'],
  ['logout', '', 'POST /logout'],
  ['profile', 'save', 'POST /userprofile/id={userId}'],
  ['profile', 'picture', 'POST /userprofileimage'],
  ['profile', 'password', 'POST /auth/password'],
  ['profile', 'end-session', 'DELETE /auth/sessions/id={id}'],
  ['person-data', '', 'POST /me/export'],
  ['delete-account', '', 'DELETE /me'],
  ['addresses', 'add', 'POST /user-address/user={id}'],
  ['seller', '', 'PUT /sellerrating-answer/id={id}'],
  ['review', '', 'POST /sellerrating'],
  ['report', '', 'POST /report'],
  ['sell', 'save', 'PUT /listing-draft'],
  ['sell', 'anew', 'DELETE /listing-draft'],
  ['edit-listing', '', 'PUT /product/id={id}'],
  ['seller-product', 'update', 'PUT /update-product/id={id}&quantity={quantity}&sold={sold}&issandhaisale={sale}'],
  ['seller-product', 'renew', 'POST /listing-step/id={id}'],
  ['cart', 'add', 'POST /buyercart/buyer={id}'],
  ['cart', 'count', 'PUT /order-detail/id={id}'],
  ['cart', 'remove', 'DELETE /order-detail/id={id}'],
  ['confirm-order', 'place', 'PUT /confirm-order/buyer={buyer}&address={address}&code={code}'],
  ['orders', 'cancel', 'POST /order-step/id={orderId}'],
  ['seller-money', 'settle', 'POST /settlement/orderid={orderId}'],
  ['handover', 'close', 'POST /order-step/id={orderId}'],
  ['vet-check', 'check', 'POST /livestock-veterinary-check'],
  ['vet-check', 'give', 'DELETE /vet-hold/id={id}'],
  ['add-enquiry', 'post', 'POST /product-requirement-enquiries'],
  ['view-enquiry', 'approve', 'PUT /product-requirement-enquiry/id={id}'],
  ['view-enquiry', 'respond', 'POST /enquiry-response/id={id}'],
  ['view-enquiry', 'close', 'POST /enquiry-step/id={id}'],
  ['forum', 'thread', 'POST /thread'],
  ['forum', 'like', 'POST /thread/like/id={threadId}'],
  ['thread', 'reply', 'POST /thread/Replies/id={threadId}'],
  ['thread', 'delete-thread', 'DELETE /thread/id={threadId}'],
  ['thread', 'delete-reply', 'DELETE /thread/reply/id={replyId}'],
  ['flag', '', 'POST /flag'],
  ['newsletter', '', 'POST /newsletter'],
  ['user', 'approve', 'PUT /admin/type-request/id={userId}'],
  ['user', 'vet', 'PUT /admin/vet-approval/id={userId}'],
  ['user', 'badge', 'PUT /admin/badge/id={userId}'],
  ['user', 'active', 'PUT /admin/active/id={userId}'],
  ['settings', '', 'PUT /admin/settings/key={key}'],
]

test.each(pairs)('the form %s %s has the same people and limits as %s', (action, act, call) => {
  const line = actions[action]!
  const { who, limits } = { ...line, ...line.acts?.[act] }
  expect({ who, limits }).toEqual({ who: policy[call]?.who, limits: policy[call]?.limits })
})

test('every act that a button of a page names is declared: the guard refuses any other as MALFORMED', () => {
  const named = /(?:name="act" value=|\bact=)(?:"([\w-]+)"|\{`([\w-]+):)|value=\{`([\w-]+):\$/g
  const files = globSync('src/**/*.tsx', { cwd: projectRoot })
  const acts = files.flatMap((file) =>
    [...readFileSync(join(projectRoot, file), 'utf8').matchAll(named)].map(([, plain, act, value]) => ({
      file,
      act: plain ?? act ?? value!,
    })),
  )
  expect(acts.length).toBeGreaterThan(80)
  const declared = new Set(Object.values(actions).flatMap((action) => Object.keys(action.acts ?? {})))
  expect(acts.filter(({ act }) => !declared.has(act))).toEqual([])
})
