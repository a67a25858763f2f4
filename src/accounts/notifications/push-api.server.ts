import { z } from '@hono/zod-openapi'
import { answer, idInPath, call, refusals, sendPersonal, sendPublic, type Api, jsonBody } from '#src/kit/http/api.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { acknowledge, addDevice, listDevices, pushSubscription, removeDevice, stopDevice } from './devices.server.ts'
import { pushConfigurationOf } from './vapid.server.ts'

const done = answer('The change is stored.', z.strictObject({ rows: z.literal(1) }))
const moment = z.iso.datetime()
const marked = z.strictObject({
  id: z.int('field_wrong').positive('field_wrong').openapi({ description: 'The id in the push message.', example: 12 }),
  mark: z
    .string('field_wrong')
    .regex(/^[\w-]{22}$/, 'field_wrong')
    .openapi({ description: 'The mark in the push message. It authorizes the call.', example: 'x4Vq0p2mJ0w3yq5cK7d1Zg' }),
})
/** The server's public key, which browsers need to subscribe (decision 0076). */
export function addPushCalls(api: Api): void {
  call(api, 'GET /push-key', {
    tags: ['Accounts'],
    summary: 'Retrieve the push key',
    description: 'The VAPID key (RFC 8292) for the `applicationServerKey` of a subscription. Null if this site sends no push messages.',
    responses: { 200: answer('The key.', z.strictObject({ key: z.string().nullable() })), ...refusals() },
    run: (c) => sendPublic(c, { key: pushConfigurationOf(c.var.market.env, c.var.ctx.vault)?.publicKey ?? null }),
  })
  call(api, 'GET /push-devices', {
    tags: ['Accounts'],
    summary: "List the caller's push devices",
    description: 'Most recently added first. `isthis` is true for a device added in the current session.',
    responses: {
      200: answer(
        'The devices.',
        z.array(z.strictObject({ id: z.int(), device: z.string(), createdon: moment, shownon: moment.nullable(), isthis: z.boolean() })),
      ),
      ...refusals(),
    },
    run: async (c) =>
      sendPersonal(
        c,
        (await listDevices(c.var.ctx)).map(({ id, device, createdAt, shownAt, isThis }) => ({
          id,
          device,
          createdon: createdAt.toISOString(),
          shownon: shownAt?.toISOString() ?? null,
          isthis: isThis,
        })),
      ),
  })
  addOwnDeviceCalls(api)
  addDeviceAnswers(api)
}

function addOwnDeviceCalls(api: Api): void {
  call(api, 'POST /push-devices', {
    tags: ['Accounts'],
    summary: 'Add this browser as a push device',
    description: [
      'Takes the result of `PushSubscription.toJSON()`, from a push service that the site accepts. The device is',
      'removed when the session ends. A person has at most ten devices; a further one replaces the oldest. Idempotent.',
    ].join(' '),
    request: { body: jsonBody(pushSubscription) },
    responses: { 200: done, ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => {
      const { ctx, market, userAgent } = c.var
      if (!pushConfigurationOf(market.env, ctx.vault)) throw new Problem('NOT_FOUND')
      await addDevice(ctx, c.req.valid('json'), { userAgent, origins: market.env.pushOrigins })
      return sendPersonal(c, { rows: 1 as const })
    },
  })
  call(api, 'DELETE /push-device/id={id}', {
    tags: ['Accounts'],
    summary: 'Remove a push device',
    description: "Removes one of the caller's own devices. Other ids return NOT_FOUND.",
    request: { params: z.object({ id: idInPath() }) },
    responses: { 200: done, ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => {
      await removeDevice(c.var.ctx, c.req.valid('param').id)
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}

/** Calls from a device that may be logged out: the mark in the message authorises them. */
function addDeviceAnswers(api: Api): void {
  for (const { path, summary, effect, act } of [
    {
      path: '/push-shown',
      summary: 'Confirm that a message was shown',
      effect: ' The SMS for the same message is then not sent, unless it was sent already.',
      act: acknowledge,
    },
    { path: '/push-stop', summary: 'Stop messages on this device', effect: '', act: stopDevice },
  ] as const)
    call(api, `POST ${path}`, {
      tags: ['Accounts'],
      summary,
      description: `Called by the device; the mark in the message replaces the session.${effect} Idempotent.`,
      request: { body: jsonBody(marked) },
      responses: { 200: done, ...refusals('VALIDATION', 'NOT_FOUND') },
      run: async (c) => {
        await act(c.var.ctx, c.req.valid('json'))
        return sendPersonal(c, { rows: 1 as const })
      },
    })
}
