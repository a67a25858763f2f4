import { z } from '@hono/zod-openapi'
import { answer, idInPath, call, refusals, sendPersonal, sendPublic, type Api, jsonBody } from '#src/kit/http/api.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { acknowledge, addDevice, listDevices, pushSubscription, removeDevice, stopDevice } from './devices.server.ts'
import { pushConfigurationOf } from './vapid.server.ts'

const done = answer('Done', z.strictObject({ rows: z.literal(1) }))
const moment = z.iso.datetime()
const marked = z.strictObject({
  id: z.int('field_wrong').positive('field_wrong').openapi({ description: 'As the message says it.', example: 12 }),
  mark: z
    .string('field_wrong')
    .regex(/^[\w-]{22}$/, 'field_wrong')
    .openapi({ description: 'As the message says it: the right to do this.', example: 'x4Vq0p2mJ0w3yq5cK7d1Zg' }),
})
/** The server's public key, which browsers need to subscribe (decision 0076). */
export function addPushCalls(api: Api): void {
  call(api, {
    method: 'get',
    path: '/push-key',
    tags: ['Accounts'],
    summary: 'The key to subscribe with',
    description: 'VAPID (RFC 8292): the `applicationServerKey` of a subscription. Null: this market shows nothing on devices.',
    responses: { 200: answer('The key', z.strictObject({ key: z.string().nullable() })), ...refusals() },
    run: (c) => sendPublic(c, { key: pushConfigurationOf(c.var.market.env, c.var.ctx.vault)?.publicKey ?? null }),
  })
  call(api, {
    method: 'get',
    path: '/push-devices',
    tags: ['Accounts'],
    summary: "One's devices that show messages",
    description: '`isthis`: added in this session.',
    responses: {
      200: answer(
        'The latest first',
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
  call(api, {
    method: 'post',
    path: '/push-devices',
    tags: ['Accounts'],
    summary: 'Show messages in this browser',
    description: [
      'A subscription as `PushSubscription.toJSON()` has it, of a push service that the market knows. Until this session ends; ten devices at most,',
      'beyond that the first one goes. Idempotent.',
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
  call(api, {
    method: 'delete',
    path: '/push-device/id={id}',
    tags: ['Accounts'],
    summary: 'Show no more messages on a device',
    description: "One of one's own.",
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
      summary: 'A message was shown',
      effect: ' Its SMS is then not sent, unless it is on its way.',
      act: acknowledge,
    },
    { path: '/push-stop', summary: 'Show no more messages here', effect: '', act: stopDevice },
  ] as const)
    call(api, {
      method: 'post',
      path,
      tags: ['Accounts'],
      summary,
      description: `By the device, with the mark from the message.${effect} Idempotent.`,
      request: { body: jsonBody(marked) },
      responses: { 200: done, ...refusals('VALIDATION', 'NOT_FOUND') },
      run: async (c) => {
        await act(c.var.ctx, c.req.valid('json'))
        return sendPersonal(c, { rows: 1 as const })
      },
    })
}
