import { createContext, data, type HeadersFunction, type RouterContextProvider } from 'react-router'
import type { z } from 'zod'
import { m } from '#src/paraglide/messages.js'
import { ctxContext, siteContext, visitorContext, type Ctx, type Site, type Visitor } from '#src/kit/context.ts'
import { serializeCookie } from './cookies.server.ts'
import { ensureOwnPage, isCsrfToken, makeCsrfToken } from './csrf.server.ts'
import { isDatabaseAway } from '#src/kit/db/database.server.ts'
import { fieldText } from '#src/kit/text/field-text.server.ts'
import { RESUMED_FIELD } from '#src/kit/device/resumed-field.ts'
import { localized } from '#src/kit/text/locale.ts'
import { problemText } from '#src/kit/problem-text.ts'
import { Problem, problems, type LineProblem, type ProblemCode } from '#src/kit/problem.ts'
import type { RateLimits } from './rate-limits.server.ts'

interface LoaderArgs {
  request: Request
  params: Record<string, string | undefined>
  context: Readonly<RouterContextProvider>
}

/**
 * A route module's loader: `export const loader = pageLoader(async (ctx, { params, url }) => …)`.
 * A Problem becomes the page's error with its real HTTP status; anything else is a bug and goes up.
 */
export function pageLoader<T>(load: Load<T>) {
  return async ({ request, params, context }: LoaderArgs): Promise<T> => {
    const ctx = context.get(ctxContext)
    const kept = interruptedForms.get(ctx)
    if (kept?.isForMembers) throw logInAgain(kept)
    try {
      return await load(ctx, { params, url: new URL(request.url), site: context.get(siteContext) })
    } catch (error) {
      if (kept && error instanceof Response && error.headers.get('Location')?.startsWith(localized('/login', ctx.locale)))
        throw logInAgain(kept)
      const { code, reason, status, retryAfterSeconds } = problemOf(context.get(siteContext), error)
      const detail = problemText(reason ?? code, ctx.locale)
      throw data({ code, detail }, { status, statusText: problems[code].title, headers: retryHeaders(retryAfterSeconds) })
    }
  }
}

/** What a person had typed when their session ended before they sent it: content/frame/interrupted-form.tsx fills it in again. */
export interface InterruptedForm {
  /** The address that it was sent to. */
  path: string
  fields: [string, string][]
}
/**
 * Per request: a page for members only has no other place to show what was typed, because its loader
 * redirects to the login.
 */
const interruptedForms = new WeakMap<Ctx, InterruptedForm & { isForMembers: boolean }>()
const logInAgain = ({ path, fields }: InterruptedForm) =>
  data(
    { code: 'AUTH_REQUIRED', kept: { path, fields } satisfies InterruptedForm },
    { status: 401, statusText: problems.AUTH_REQUIRED.title, headers: { 'Cache-Control': 'no-store' } },
  )

type Load<T> = (ctx: Ctx, args: { params: LoaderArgs['params']; url: URL; site: Site }) => Promise<T>

/**
 * The loader of a page with a form: adds `csrf` for the form's hidden field and sets its cookie. Such a page is rendered for one
 * visitor and never cached (`export const headers = formHeaders`).
 */
export function formLoader<T extends object>(load: Load<T>, statusOf: (value: T) => number = () => 200) {
  const loader = pageLoader(load)
  return async (args: LoaderArgs) => {
    const value = await loader(args)
    const { cookies, cookieNames } = visitorOf(args.context)
    const { secret } = args.context.get(siteContext).env
    const known = cookies[cookieNames.csrf]
    const sessionToken = cookies[cookieNames.session]
    const csrf = isCsrfToken(secret, sessionToken, known) ? known : makeCsrfToken(secret, sessionToken)
    const headers: Record<string, string> = { 'Cache-Control': 'no-store' }
    if (csrf !== known) headers['Set-Cookie'] = serializeCookie(cookieNames.csrf, csrf, { secure: cookieNames.secure })
    return data({ ...value, csrf }, { status: statusOf(value), headers })
  }
}

export const formHeaders: HeadersFunction = ({ actionHeaders, errorHeaders }) => {
  const headers = new Headers({ 'Cache-Control': 'no-store' })
  const retryAfter = (errorHeaders ?? actionHeaders).get('Retry-After')
  if (retryAfter) headers.set('Retry-After', retryAfter)
  return headers
}

/** What a form's page finds in `actionData`: the act's own answer, or why it was refused and what had been typed. */
export type FormResult<T> = { done: T; refused?: undefined } | { done?: undefined; refused: FormRefusal }

export interface FormRefusal {
  code: ProblemCode
  /** What is wrong with which field, in the reader's language. */
  errors: Record<string, string>
  /** The refusal as a sentence. */
  detail: string
  retryAfterSeconds: number | undefined
  /** The request id in our log; missing if no server answered. */
  requestId?: string
  /** The cart lines that cannot be ordered. */
  lines?: LineProblem[]
  /** To be shown again in the form; never what should not travel twice. */
  typed: Record<string, string>
  /** The form comes back after a login in between: nothing is wrong with it, it only has to be sent again. */
  isResumed?: true
  /** It waits on the phone until there is a line (kit/device/offline-form.ts). */
  isStored?: true
}

const NOT_SENT_BACK = /csrf|password|otp|pan/i

/** What stands before a page's action: made from its line in policy.ts, as a call's guards are. */
export interface ActionGuard {
  /** An anonymous visitor, or one whose session has ended, is asked to log in, not told that the form is from another page. */
  isForMembers: boolean
  /** Checks login, limits, and role, in this order; throws the Problem of the first that refuses. */
  pass(ctx: Ctx, asked: { form: FormData; limits: RateLimits; address: string }): Promise<void>
}

/** The guard of the action with this id. Throws an Error for an id without a line in policy.ts. */
export const actionGuardsContext = createContext<(id: string) => ActionGuard>()

interface ActionArgs {
  params: LoaderArgs['params']
  url: URL
  form: FormData
  site: Site
  visitor: Visitor
}

/**
 * A route module's action: `export const action = pageAction('orders', async (ctx, { form }) => …)`. `id` names its line in policy.ts, which
 * says who may send it and which limits count it. The form carries `csrf` of its page's loader. A Problem becomes a result for the form,
 * with its real HTTP status, or what `refuse` makes of its code where the action's answer is a file; a redirect may be thrown.
 */
export function pageAction<T>(
  id: string,
  act: (ctx: Ctx, args: ActionArgs) => Promise<T>,
  { refuse }: { refuse?: (ctx: Ctx, code: ProblemCode, args: Pick<ActionArgs, 'params' | 'url'>) => Response } = {},
) {
  const action = async ({ request, params, context }: LoaderArgs) => {
    const ctx = context.get(ctxContext)
    const shared = context.get(siteContext)
    const site = { ...shared, limits: shared.limits.ofRequest() }
    const visitor = visitorOf(context)
    const guard = context.get(actionGuardsContext)(id)
    const url = new URL(request.url)
    let form = new FormData()
    try {
      form = await readForm(request)
      ensureOwnPage(request, {
        publicOrigin: site.env.publicOrigin,
        secret: site.env.secret,
        sessionToken: visitor.cookies[visitor.cookieNames.session],
        cookieToken: visitor.cookies[visitor.cookieNames.csrf],
        sentToken: textOf(form, 'csrf'),
      })
      if (visitor.bodyProblem) throw visitor.bodyProblem
      await guard.pass(ctx, { form, limits: site.limits, address: visitor.address })
      const done = await act(ctx, { params, url, form, site, visitor })
      return data<FormResult<T>>({ done }, { headers: { 'Cache-Control': 'no-store' } })
    } catch (error) {
      const found = problemOf(site, error)
      await site.limits.giveBackQuotas(ctx.db).catch((error: unknown) => ctx.log.warn({ err: error }, 'a quota could not be given back'))
      const isLoggedOut = guard.isForMembers && !ctx.viewer && found.code === 'CSRF_REJECTED'
      const problem = isLoggedOut ? new Problem('AUTH_REQUIRED') : found
      if (refuse) throw refuse(ctx, problem.code, { params, url })
      const { status, retryAfterSeconds } = problem
      return data<FormResult<T>>(
        { refused: refusalOf(ctx, problem, { form, url, isForMembers: guard.isForMembers }) },
        { status, headers: { 'Cache-Control': 'no-store', ...retryHeaders(retryAfterSeconds) } },
      )
    }
  }
  return Object.assign(action, { id })
}

/** What a refused form's page shows; without a login what was typed is remembered until the page is rendered (InterruptedForm). */
function refusalOf(
  ctx: Ctx,
  problem: Problem,
  { form, url, isForMembers }: { form: FormData; url: URL; isForMembers: boolean },
): FormRefusal {
  const { code, reason, fields = [], lines, retryAfterSeconds } = problem
  const isResumed = code === 'CSRF_REJECTED' && ctx.viewer !== null && form.has(RESUMED_FIELD)
  const texts = [...form].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[0] !== RESUMED_FIELD && !NOT_SENT_BACK.test(entry[0]),
  )
  if (!ctx.viewer && (code === 'AUTH_REQUIRED' || code === 'CSRF_REJECTED'))
    interruptedForms.set(ctx, { path: url.pathname + url.search, fields: texts, isForMembers: isForMembers && code === 'AUTH_REQUIRED' })
  return {
    code,
    errors: Object.fromEntries(
      // The first error of a field wins.
      fields.toReversed().map(({ field, message }) => [field, fieldText(message, ctx.locale) ?? m.field_wrong({}, { locale: ctx.locale })]),
    ),
    detail: isResumed ? m.resume_again({}, { locale: ctx.locale }) : problemText(reason ?? code, ctx.locale),
    retryAfterSeconds,
    requestId: ctx.requestId,
    ...(lines && { lines }),
    typed: Object.fromEntries(texts),
    ...(isResumed && { isResumed }),
  }
}

/** A bug of ours must not cost a person what was typed: logged as one, and said at the form. */
export async function asInternalProblem<T>(ctx: Ctx, what: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof Problem || error instanceof Response || isDatabaseAway(error)) throw error
    ctx.log.error({ err: error }, what)
    throw new Problem('INTERNAL')
  }
}

/** VALIDATION with the names of the fields that the schema does not take. */
export function parseForm<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new Problem('VALIDATION', { fields: result.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })) })
}

function textOf(form: FormData, name: string): string | undefined {
  const value = form.get(name)
  return typeof value === 'string' ? value : undefined
}

async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData()
  } catch {
    throw new Problem('MALFORMED')
  }
}

function visitorOf(context: LoaderArgs['context']): Visitor {
  const visitor = context.get(visitorContext)
  if (!visitor) throw new Error('A form stands on a page that is cached for everybody.')
  return visitor
}

/** Bugs and redirects go up. */
function problemOf(site: Site, error: unknown): Problem {
  if (error instanceof Problem) return error
  if (!isDatabaseAway(error)) throw error
  site.noteAway(error)
  return new Problem('UNAVAILABLE', { retryAfterSeconds: 2 })
}

const retryHeaders = (seconds: number | undefined): Record<string, string> => (seconds ? { 'Retry-After': String(seconds) } : {})
