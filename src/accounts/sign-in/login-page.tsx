import { redirect } from 'react-router'
import { z } from 'zod'
import type { Ctx, Site, Visitor } from '#src/kit/context.ts'
import { formHeaders, pageAction, type FormRefusal, textOf } from '#src/kit/http/page.server.ts'
import { bare, localized } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { useIsFirstPaint } from '#src/ui/first-paint.ts'
import { useLocalPath } from '#src/ui/language.ts'
import { besideFields, FormFailure } from '#src/ui/form-failure.tsx'
import { CsrfField, HiddenFields } from '#src/ui/post-form.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import {
  CODE_TYPES,
  dropCodeLogin,
  findCodeLogin,
  finishCodeLogin,
  finishNewPerson,
  newPerson,
  startCodeLogin,
} from '#src/accounts/identity/code-login.server.ts'
import { login } from '#src/accounts/identity/login.server.ts'
import { findPending, referralCodeIn } from '#src/accounts/identity/register.server.ts'
import { anyPassword, otpCode, phoneNumber } from '../schemas.ts'
import { authClientOf, expiredCookie, resetCookie, wishCookie } from '#src/accounts/identity/session-cookies.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { authFormLoader, enter, nextOf, pathWithNext, redirectWith, typeFor } from './auth-forms.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { CodeButton, LoginFields, noteRemembered } from './login-fields.tsx'
import { CodeStep, NameStep } from './login-steps.tsx'
import { SamplePeople } from './sample-people.tsx'
import { isFromOurPage, readWish, wishText } from './wish.ts'
import type { Route } from './+types/login-page'

export const loader = authFormLoader(async (ctx, { request, next, url, visitor: { cookies, cookieNames } }) => {
  const wish = readWish(url.searchParams.get('wanted'), url.searchParams.get('count'))
  if (wish) {
    if (!isFromOurPage(request.headers, url.host)) throw redirect(pathWithNext(ctx, '/login', next))
    const cart = localized('/my-cart', ctx.locale)
    throw redirectWith(ctx.viewer ? cart : pathWithNext(ctx, '/login', cart), [wishCookie(cookieNames, wishText(wish))])
  }
  // A logged-in person without a password proves their identity by another code (login.server.ts).
  const isAgain = ctx.viewer !== null && url.searchParams.has('again')
  if (ctx.viewer && !isAgain) throw redirect(next)
  const waiting = await findCodeLogin(ctx, cookies[cookieNames.reset])
  // Specification A §4: a pending registration asks for its code first. That page links here (`instead`) for people with an account.
  const isRegistering = !waiting && !url.searchParams.has('instead') && (await findPending(ctx, cookies[cookieNames.registration])) !== null
  if (isRegistering) throw redirect(pathWithNext(ctx, '/register', next))
  const home = localized('/', ctx.locale)
  return {
    home,
    waiting,
    isAgain,
    typeId: typeFor(next),
    choices: CODE_TYPES,
    referralCode: referralCodeIn(cookies.refcode),
    isWish: readWish(cookies[cookieNames.wish]) !== null && bare(next).startsWith('/my-cart'),
    wasSentHere: url.searchParams.has('next') && next !== home,
    isCodeOver: url.searchParams.has('over'),
  }
})

type Args = { form: FormData; site: Site; visitor: Visitor }

export const action = pageAction('login', async (ctx, args) => {
  const { form, visitor } = args
  switch (textOf(form, 'step')) {
    case 'code':
      throw await giveCode(ctx, args)
    case 'name':
      throw await giveName(ctx, args)
    case 'drop':
      await dropCodeLogin(ctx, visitor.cookies[visitor.cookieNames.reset])
      throw redirectWith(pathWithNext(ctx, '/login', nextOf(ctx, form)), [expiredCookie(visitor.cookieNames, visitor.cookieNames.reset)])
    case 'send':
      throw await sendCode(ctx, args)
    default:
      throw await tryPassword(ctx, args)
  }
})

async function sendCode(ctx: Ctx, { form, site, visitor }: Args): Promise<Response> {
  const { phone } = parseInput(z.object({ phone: phoneNumber }), { phone: textOf(form, 'phone') })
  const { token } = await startCodeLogin(ctx, phone, authClientOf(site, visitor))
  return redirectWith(loginPath(ctx, form), [resetCookie(visitor.cookieNames, token)])
}

const loginPath = (ctx: Ctx, form: FormData) =>
  `${pathWithNext(ctx, '/login', nextOf(ctx, form))}${textOf(form, 'again') === '' ? '' : '&again=1'}`

async function giveCode(ctx: Ctx, { form, site, visitor }: Args): Promise<Response> {
  const { phone, otp: code } = parseInput(z.object({ phone: phoneNumber, otp: otpCode }), {
    phone: textOf(form, 'phone'),
    otp: textOf(form, 'otp'),
  })
  const entered = await finishCodeLogin(ctx, { phone, code }, visitor.cookies[visitor.cookieNames.reset], authClientOf(site, visitor))
  return 'needsName' in entered ? redirect(loginPath(ctx, form)) : enter(ctx, site, visitor, entered, nextOf(ctx, form))
}

async function giveName(ctx: Ctx, { form, site, visitor }: Args): Promise<Response> {
  const person = parseInput(newPerson, {
    name: textOf(form, 'name'),
    typeId: textOf(form, 'typeId'),
    referralCode: textOf(form, 'referralCode'),
    hasConsented: textOf(form, 'hasConsented') === 'yes',
  })
  const entered = await finishNewPerson(ctx, person, visitor.cookies[visitor.cookieNames.reset], authClientOf(site, visitor))
  return enter(ctx, site, visitor, entered, nextOf(ctx, form))
}

async function tryPassword(ctx: Ctx, { form, site, visitor }: Args): Promise<Response> {
  const input = parseInput(z.object({ phone: phoneNumber, password: anyPassword }), {
    phone: textOf(form, 'phone'),
    password: textOf(form, 'password'),
  })
  const entered = await login(ctx, input, authClientOf(site, visitor))
  const next = nextOf(ctx, form)
  if (!('needsCode' in entered)) return enter(ctx, site, visitor, entered, next)
  return redirectWith(pathWithNext(ctx, '/login/code', next), [resetCookie(visitor.cookieNames, entered.token)])
}

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.login_title(), description: m.login_description() }))

export default function LoginPage({ loaderData, actionData }: Route.ComponentProps) {
  const { waiting, isAgain } = loaderData
  const refused = actionData?.refused
  // A refused form posts to its own address and has `next` in a field.
  const next = refused?.typed.next ?? loaderData.next
  const hidden = (
    <>
      <CsrfField />
      <HiddenFields next={next} again={isAgain ? 1 : undefined} />
    </>
  )
  // The code has expired or has no tries left: ask for the number again and show the reason.
  const step = waiting === null ? 'phone' : waiting.isProved ? 'name' : 'code'
  const titles = { phone: m.login_title, code: m.login_otp_title, name: m.login_name_title }
  return (
    <div className="mx-auto max-w-md py-2">
      <h1 className="text-2xl">{titles[step]()}</h1>
      {step === 'code' && <CodeStep {...waiting!} refused={refused} hidden={hidden} />}
      {step === 'name' && <NameStep {...loaderData} phone={waiting!.phone} refused={refused} hidden={hidden} />}
      {step === 'phone' && <PhoneStep page={loaderData} refused={refused} hidden={hidden} next={next} />}
    </div>
  )
}

interface PhoneStepProps {
  page: Route.ComponentProps['loaderData']
  refused: FormRefusal | undefined
  hidden: React.ReactNode
  next: string
}

function PhoneStep({ page, refused, hidden, next }: PhoneStepProps) {
  const to = useLocalPath()
  const hasScripts = !useIsFirstPaint()
  const form = useFocusOnError(refused)
  const errors = besideFields(refused)
  const onwards = (path: string) => `${to(path)}?next=${encodeURIComponent(next)}`
  return (
    <>
      <Why page={page} isRefused={refused !== undefined} />
      <form
        ref={form}
        method="post"
        noValidate
        onSubmit={(event) => {
          noteRemembered(event.currentTarget)
          sendOnce(event)
        }}
        className="form-panel mt-4"
      >
        {hidden}
        <LoginFields id="login" errors={errors} typedPhone={refused?.typed.phone} />
        {refused && <FormFailure {...refused} />}
        <button type="submit" name="step" value="password" className="button-primary">
          {m.login_submit()}
        </button>
        <a href={onwards('/reset-password')} className="tap-link justify-center font-semibold">
          {m.login_forgot()}
        </a>
        <CodeButton id="login" />
        <div className="grid gap-2 border-t border-line pt-4">
          <a href={onwards('/register')} className="button-plain">
            {m.login_register()}
          </a>
          <a
            href={next.startsWith('/') ? backFrom(next, page.home) : page.home}
            onClick={(event) => {
              if (!hasScripts || !document.referrer.startsWith(window.location.origin) || refused) return
              event.preventDefault()
              window.history.back()
            }}
            className="inline-flex min-h-11 items-center justify-center text-stone underline underline-offset-2"
          >
            {m.close()}
          </a>
        </div>
        <SamplePeople />
      </form>
    </>
  )
}

/** The reason why the login is needed. */
function Why({ page, isRefused }: { page: Route.ComponentProps['loaderData']; isRefused: boolean }) {
  if (isRefused) return null
  if (page.isCodeOver)
    return (
      <p role="alert" className="failure mt-2">
        {m.login_code_over()}
      </p>
    )
  if (!page.wasSentHere) return null
  return <p className="mt-2 font-semibold">{page.isWish ? m.login_wish() : page.isAgain ? m.login_again() : m.problem_auth_required()}</p>
}

/** A page that needs a login would redirect here again. */
const backFrom = (next: string, home: string) => (/^(\/en)?\/(buy|product|forum|view-requirements)?(\/|\?|$)/i.test(next) ? next : home)
