import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { Gate } from './kit/gate.server.ts'
import { MAX_PICTURE_BYTES } from './kit/pictures.server.ts'
import { Problem } from './kit/problem.ts'
import type { AppEnv } from './request.server.ts'

/** Forms and JSON. */
const MAX_BODY_BYTES = 64 * 1024
/** A picture and what a form says around it. */
const MAX_UPLOAD_BYTES = MAX_PICTURE_BYTES + MAX_BODY_BYTES
/** Where one picture may come, and nothing else that is large. */
const uploads = [/^\/api\/v1\/userprofileimage$/i, /^(\/en)?\/userprofile\/\d{1,15}\/?$/i]

const isUpload = (c: Context) =>
  /^multipart\/form-data\b/i.test(c.req.header('content-type') ?? '') && uploads.some((path) => path.test(c.req.path))

const limitedTo = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw new Problem('TOO_LARGE')
    },
  })
const small = limitedTo(MAX_BODY_BYTES)
const large = limitedTo(MAX_UPLOAD_BYTES)

/** As many uploads as may be in memory while they come in. */
const uploading = new Gate({ atOnce: 12, waitAtMostMs: 1000, retryAfterSeconds: 5 })

/**
 * The whole body, before anything is asked about it: a slow line holds no place among those who are being answered, and who may
 * act is looked up when all has come, not when the first byte did. Else whoever holds back his last byte would act as somebody
 * he has long ceased to be.
 */
export const wholeBody: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!c.req.raw.body) return next()
  const isLarge = isUpload(c)
  await (isLarge ? large : small)(c, async () => {
    c.req.raw = isLarge ? await uploading.run(() => received(c.req.raw)) : await received(c.req.raw)
  })
  await next()
}

async function received(request: Request): Promise<Request> {
  const body = await request.arrayBuffer().catch(() => {
    throw new Problem('MALFORMED')
  })
  const whole = { body }
  return new Request(request, whole)
}
