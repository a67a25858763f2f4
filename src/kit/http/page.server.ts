import { createContext, data, type HeadersFunction, type RouterContextProvider } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { ctxContext, siteContext, visitorContext, type Ctx, type Site, type Visitor } from '../context.ts'
import { isDatabaseAway } from '#src/kit/db/database-errors.server.ts'
import { fieldText } from '#src/kit/text/field-text.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { problemDetail } from '../problem-text.ts'
import { Problem, problems, type LineProblem, type ProblemCode } from '#src/kit/base/problem.ts'
import type { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { csrfCookie, ensureOwnPage, isCsrfToken, isFromOwnPage, makeCsrfToken } from './csrf.server.ts'
import { ensureStorable } from './storable-text.ts'

interface LoaderArgs {
  request: Request
  params: Record<string, string | undefined>
  context: Readonly<RouterContextProvider>
}

/**
 * A route module's loader: `export const loader = pageLoader(async (ctx, { params, url }) => …)`. A Problem becomes the
 * page's error with its HTTP status; any other error is a bug and is rethrown.
 */
export function pageLoader<T>(load: Load<T>) {
  return async ({ request, params, context }: LoaderArgs): Promise<T> => {
    const ctx = context.get(ctxContext)
    const interrupted = interruptedForms.get(ctx)
    if (interrupted?.isForMembers) throw logInAgain(interrupted)
    try {
      return await load(ctx, { params, url: new URL(request.url), site: context.get(siteContext) })
    } catch (error) {
      if (interrupted && error instanceof Response && error.headers.get('Location')?.startsWith(localized('/login', ctx.locale)))
        throw logInAgain(interrupted)
      const problem = problemOf(context.get(siteContext), error)
      if (!problem) throw error
      const { code, status, retryAfterSeconds } = problem
      const detail = problemDetail(problem, ctx.locale)
      throw data({ code, detail }, { status, statusText: problems[code].title, headers: retryHeaders(retryAfterSeconds) })
    }
  }
}

/**
 * The text that a person typed when their session ended before they sent the form.
 * content/site-frame/interrupted-form.tsx fills it in again.
 */
export interface InterruptedForm {
  /** The address of the form's submit. */
  path: string
  fields: [string, string][]
}
/** Kept per request, because the loader of a members-only page redirects to the login and cannot show the typed fields itself. */
const interruptedForms = new WeakMap<Ctx, InterruptedForm & { isForMembers: boolean }>()
const logInAgain = ({ path, fields }: InterruptedForm) =>
  data(
    { code: 'AUTH_REQUIRED', kept: { path, fields } satisfies InterruptedForm },
    { status: 401, statusText: problems.AUTH_REQUIRED.title, headers: { 'Cache-Control': 'no-store' } },
  )

/** The arguments of a page's reader beside the ctx. */
export interface PageArgs {
  params: LoaderArgs['params']
  url: URL
  site: Site
}
type Load<T> = (ctx: Ctx, args: PageArgs) => Promise<T>

/**
 * The loader of a page with a form: adds `csrf` for the form's hidden field and sets its cookie. Such a page is
 * rendered for one visitor and never cached (`export const headers = formHeaders`).
 */
export function formLoader<T extends object>(load: Load<T>, statusOf: (value: T) => number = () => 200) {
  const loader = pageLoader(load)
  return async (args: LoaderArgs) => {
    const value = await loader(args)
    const { csrf, headers } = csrfOf(visitorOf(args.context), args.context.get(siteContext).env.secret)
    return data({ ...value, csrf }, { status: statusOf(value), headers: { 'Cache-Control': 'no-store', ...headers } })
  }
}

/** The token of the visitor's session, and the header that sets its cookie if the browser has none. */
function csrfOf({ cookies, cookieNames }: Visitor, secret: string): { csrf: string; headers: Record<string, string> } {
  const sessionToken = cookies[cookieNames.session]
  const known = cookies[cookieNames.csrf]
  if (isCsrfToken(secret, sessionToken, known)) return { csrf: known, headers: {} }
  const csrf = (cookies[cookieNames.csrf] = makeCsrfToken(secret, sessionToken))
  return { csrf, headers: { 'Set-Cookie': csrfCookie(cookieNames, csrf, sessionToken) } }
}

/** The data of a form's page: the answer of its reader. */
export type FormPage<Read extends (...args: never[]) => unknown> = Awaited<ReturnType<Read>>

export const formHeaders: HeadersFunction = ({ actionHeaders, errorHeaders }) => {
  const headers = new Headers({ 'Cache-Control': 'no-store' })
  const retryAfter = (errorHeaders ?? actionHeaders).get('Retry-After')
  if (retryAfter) headers.set('Retry-After', retryAfter)
  return headers
}

/** `headers` of a page whose URL is a secret: no cache stores it, and no other site learns it. */
export const secretUrlHeaders = () => ({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })

/** The `actionData` of a form page: the result of the act, or the refusal with the typed fields. */
export type FormResult<T> = { done: T; refused?: undefined } | { done?: undefined; refused: FormRefusal }

export interface FormRefusal {
  code: ProblemCode
  /** The error text of each wrong field, in the reader's language. */
  errors: Record<string, string>
  detail: string
  /** The request id in our log; missing if no server answered. */
  requestId?: string
  /** The cart lines that cannot be ordered. */
  lines?: LineProblem[]
  /** Somebody else has decided this case meanwhile; `detail` says who, and when. */
  isDecided?: true
  /** Typed values that the form shows again, without secrets. */
  typed: Record<string, string>
  /** The token to send the form again with, for a person who logged in or out after their page was loaded. */
  csrf?: string
  /** The form waits on the phone until the connection returns (kit/device/offline-form.ts). */
  isStored?: true
}

const NOT_SENT_BACK = /csrf|password|otp|pan/i

/** The checks in front of a page's action, built from its line in policy.ts like those of an API call. */
export interface ActionGuard {
  /** When true, an anonymous visitor or one with an expired session is asked to log in, instead of reading that the form is from another page. */
  isForMembers: boolean
  /** Checks login, limits and role in this order. Throws the Problem of the first check that fails. */
  pass(ctx: Ctx, asked: { form: FormData; limits: RateLimits; address: string }): Promise<void>
}

/** Returns the guard of the action with this id. Throws an Error for an id without a line in policy.ts. */
export const actionGuardsContext = createContext<(id: string) => ActionGuard>()

interface ActionArgs {
  params: LoaderArgs['params']
  url: URL
  form: FormData
  site: Site
  visitor: Visitor
}

/**
 * A route module's action: `export const action = pageAction('orders', async (ctx, { form }) => …)`. `id` names its
 * line in policy.ts, which says who may send it and which limits count it. The form carries `csrf` from its page's
 * loader. A Problem becomes a result for the form with its HTTP status, so that the person does not lose what they
 * typed, and a bug becomes INTERNAL; where the action answers with a file, it becomes what `refuse` makes of it. The act
 * may throw a redirect.
 */
export function pageAction<T>(
  id: string,
  act: (ctx: Ctx, args: ActionArgs) => Promise<T>,
  { refuse }: { refuse?: (ctx: Ctx, problem: Problem, args: Pick<ActionArgs, 'params' | 'url'>) => Response } = {},
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
      ensureStorable(Object.fromEntries(form))
      const done = await act(ctx, { params, url, form, site, visitor })
      return data<FormResult<T>>({ done }, { headers: { 'Cache-Control': 'no-store' } })
    } catch (error) {
      if (error instanceof Response) throw error
      const known = problemOf(site, error)
      if (!known) ctx.log.error({ err: error }, `the form ${id} failed`)
      const found = known ?? new Problem('INTERNAL')
      await site.limits.giveBackQuotas(ctx.db).catch((error: unknown) => ctx.log.warn({ err: error }, 'a quota could not be given back'))
      const isLoggedOut = guard.isForMembers && !ctx.viewer && found.code === 'CSRF_REJECTED'
      const problem = isLoggedOut ? new Problem('AUTH_REQUIRED') : found
      const isOutdated = problem.code === 'CSRF_REJECTED' && isFromOwnPage(request, site.env.publicOrigin) === true
      if (refuse) throw refuse(ctx, problem, { params, url })
      const { status, retryAfterSeconds } = problem
      const { csrf, headers } = isOutdated ? csrfOf(visitor, site.env.secret) : {}
      return data<FormResult<T>>(
        { refused: refusalOf(ctx, problem, { form, url, isForMembers: guard.isForMembers, csrf }) },
        { status, headers: { 'Cache-Control': 'no-store', ...retryHeaders(retryAfterSeconds), ...headers } },
      )
    }
  }
  return Object.assign(action, { id })
}

/** Builds the refusal that the form shows. Without a login, remembers the typed fields until the page is rendered (InterruptedForm). */
function refusalOf(
  ctx: Ctx,
  problem: Problem,
  { form, url, isForMembers, csrf }: { form: FormData; url: URL; isForMembers: boolean; csrf: string | undefined },
): FormRefusal {
  const { code, fields = [], lines } = problem
  const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const typed = texts.filter(([name]) => !NOT_SENT_BACK.test(name))
  if (!ctx.viewer && (code === 'AUTH_REQUIRED' || code === 'CSRF_REJECTED'))
    interruptedForms.set(ctx, { path: url.pathname + url.search, fields: typed, isForMembers: isForMembers && code === 'AUTH_REQUIRED' })
  return {
    code,
    errors: Object.fromEntries(
      // Reversed, so that the first error of a field wins.
      fields.toReversed().map(({ field, message }) => [field, fieldText(message, ctx.locale) ?? m.field_wrong({}, { locale: ctx.locale })]),
    ),
    detail: csrf ? m.resume_again({}, { locale: ctx.locale }) : problemDetail(problem, ctx.locale),
    requestId: ctx.requestId,
    ...(lines && { lines }),
    ...(code === 'VERSION' && problem.sentence && { isDecided: true }),
    typed: Object.fromEntries(typed),
    ...(csrf && { csrf }),
  }
}

/** Returns the text of a form field; empty for a missing field or a file. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** Returns the file of a form field; null for a missing field or an empty input, which browsers send as a file of 0 bytes. */
export async function bytesOf(form: FormData, name: string): Promise<Buffer | null> {
  const file = form.get(name)
  return file instanceof File && file.size > 0 ? Buffer.from(await file.arrayBuffer()) : null
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
  if (!visitor) throw new Error('A page that is cached for everybody contains a form.')
  return visitor
}

/** Null for a bug. */
function problemOf(site: Site, error: unknown): Problem | null {
  if (error instanceof Problem) return error
  if (!isDatabaseAway(error)) return null
  site.noteAway(error)
  return new Problem('UNAVAILABLE', { retryAfterSeconds: 2 })
}

const retryHeaders = (seconds: number | undefined): Record<string, string> => (seconds ? { 'Retry-After': String(seconds) } : {})
