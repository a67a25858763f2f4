import { redirect, Form } from 'react-router'
import { z } from 'zod'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { canSendEmail } from '#src/kit/base/env.server.ts'
import { formHeaders, formLoader, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { emailAddress } from '#src/kit/text/text.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { tableAddress } from '#src/ui/desk-query.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { Field, fieldsOf, OwnPasswordField } from '#src/ui/field.tsx'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { CsrfField, HiddenFields } from '#src/ui/post-form.tsx'
import { useSendOnce } from '#src/ui/send-once.ts'
import { DeskTitle } from '#src/ui/single-keys.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { TitledPanel } from '#src/ui/panels.tsx'
import { letterInput } from './letter-schema.ts'
import { changeLetter, countSubscribers, getLetter, listLetters, previewOf, sendLetter, testLetter, writeLetter } from './letters.server.ts'
import { LONGEST_LETTER, LONGEST_SUBJECT } from './letter-limits.ts'
import type { Route } from './+types/desk-page'

const DONE = ['saved', 'tested', 'sent'] as const
type LetterDone = (typeof DONE)[number]

/** Letters to the newsletter's subscribers: write, preview, test on one address, send. */
export const loader = formLoader(async (ctx, { url, site }) => {
  const query = url.searchParams
  const id = parseId(query.get('letter') ?? undefined)
  const letter = id === null ? null : await getLetter(ctx, id)
  const letters = await listLetters(ctx)
  return {
    letter: letter && {
      id: letter.id,
      version: letter.version,
      subjectTa: letter.subjectTa,
      subjectEn: letter.subjectEn,
      bodyTa: letter.bodyTa,
      bodyEn: letter.bodyEn,
      sentAt: letter.sentAt && formatMoment(letter.sentAt, ctx.locale),
      receivers: letter.receivers,
      previews: (['ta', 'en'] as const).map((locale) => previewOf(letter, locale)),
    },
    letters: letters.map(({ id, subjectTa, subjectEn, sentAt, receivers, changedAt }) => ({
      id,
      subject: ctx.locale === 'ta' ? subjectTa : subjectEn,
      receivers,
      isSent: sentAt !== null,
      at: formatMoment(sentAt ?? changedAt, ctx.locale),
    })),
    subscribers: await countSubscribers(ctx),
    canSend: canSendEmail(site.env),
    done: DONE.find((each) => each === query.get('done')) ?? null,
  }
})

export const action = pageAction('newsletter-desk', async (ctx, { form, site }): Promise<never> => {
  const act = textOf(form, 'act')
  const go = (letter: number, done: LetterDone) => redirect(localized(tableAddress('/admin/newsletter', { letter, done }), ctx.locale))
  const written = () => parseInput(letterInput, Object.fromEntries(form))
  if (act === 'write') throw go(await writeLetter(ctx, written()), 'saved')
  const id = parseId(textOf(form, 'id'))
  const version = parseId(textOf(form, 'version'))
  if (id === null || version === null) throw notFound()
  const { secret } = site.env
  if (act === 'change') await changeLetter(ctx, { id, version }, written())
  else if (act === 'test') {
    const { email } = parseInput(z.object({ email: emailAddress }), { email: textOf(form, 'email') })
    await testLetter(ctx, { id, version }, { email, secret })
  } else await sendLetter(ctx, { id, version }, { password: textOf(form, 'password'), secret })
  throw go(id, act === 'change' ? 'saved' : act === 'test' ? 'tested' : 'sent')
})

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.newsletter_desk_title(), description: m.newsletter_desk_lead() }))

type NewsletterDeskData = Route.ComponentProps['loaderData']
type Letter = NonNullable<NewsletterDeskData['letter']>
type Refused = FormRefusal | undefined

const doneTexts: Record<LetterDone, () => string> = {
  saved: m.newsletter_desk_saved,
  tested: m.newsletter_desk_tested,
  sent: m.newsletter_desk_sent_now,
}

export default function NewsletterDeskPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const refused = actionData?.refused
  const to = useLocalPath()
  const { letter, subscribers, done } = page
  const refusedAs = (...acts: string[]) => (refused && acts.includes(refused.typed.act ?? '') ? refused : undefined)
  return (
    <div className="space-y-4 py-2">
      <div className="row items-baseline justify-between gap-x-4">
        <DeskTitle>{m.newsletter_desk_title()}</DeskTitle>
        {letter && (
          <a href={to('/admin/newsletter')} className="tap-link font-semibold">
            {m.newsletter_desk_new()}
          </a>
        )}
      </div>
      <p className="text-stone">
        {m.newsletter_desk_subscribers({ ta: subscribers.ta, en: subscribers.en, waiting: subscribers.waiting })}
      </p>
      {!page.canSend && <p className="failure">{m.newsletter_away()}</p>}
      {done && !refused && <FormDone>{doneTexts[done]()}</FormDone>}
      <div className="halves">
        <div className="space-y-4">
          {letter?.sentAt ? (
            <SentLetter letter={letter} refused={refusedAs('change', 'test', 'send')} />
          ) : (
            <LetterForm key={`${letter?.id} ${letter?.version}`} letter={letter} refused={refusedAs('write', 'change')} />
          )}
          {letter && !letter.sentAt && (
            <>
              <TestForm letter={letter} refused={refusedAs('test')} />
              <SendForm letter={letter} count={subscribers.ta + subscribers.en} refused={refusedAs('send')} />
            </>
          )}
        </div>
        <div className="space-y-4">
          {letter && <Preview letter={letter} />}
          <Letters letters={page.letters} here={letter?.id ?? null} />
        </div>
      </div>
    </div>
  )
}

/** A refused change of a letter that was sent meanwhile stays in the form as the text of a new letter. */
function SentLetter({ letter, refused }: FormProps) {
  const isChange = refused?.typed.act === 'change'
  const failure = useFocusOnError<HTMLDivElement>(isChange ? undefined : refused)
  return (
    <>
      <div ref={failure} className="panel space-y-2 p-4">
        {refused && !isChange && <FormFailure {...refused} />}
        <p>{m.newsletter_desk_was_sent({ when: letter.sentAt ?? '', count: letter.receivers ?? 0 })}</p>
      </div>
      {isChange && <LetterForm letter={null} refused={refused} />}
    </>
  )
}

interface FormProps {
  letter: Letter
  refused: Refused
}

const Known = ({ letter, act }: { letter: Letter | null; act: string }) => (
  <>
    <CsrfField />
    <HiddenFields act={act} id={letter?.id} version={letter?.version} />
  </>
)

/** Errors that belong to no field. */
const Failure = ({ refused }: { refused: Refused }) => refused && Object.keys(refused.errors).length === 0 && <FormFailure {...refused} />

const TEXTS = ['subjectTa', 'bodyTa', 'subjectEn', 'bodyEn'] as const

function LetterForm({ letter, refused }: Omit<FormProps, 'letter'> & { letter: Letter | null }) {
  const { onSubmit } = useSendOnce(refused)
  const form = useFocusOnError(refused)
  const labels = {
    subjectTa: m.showcase_in_tamil({ what: m.newsletter_desk_subject() }),
    bodyTa: m.showcase_in_tamil({ what: m.newsletter_desk_text() }),
    subjectEn: m.showcase_in_english({ what: m.newsletter_desk_subject() }),
    bodyEn: m.showcase_in_english({ what: m.newsletter_desk_text() }),
  }
  return (
    <Form ref={form} method="post" onSubmit={onSubmit} className="panel grid gap-3 p-4">
      <Known letter={letter} act={letter ? 'change' : 'write'} />
      <Failure refused={refused} />
      {TEXTS.map((name) => {
        const field = {
          id: `letter-${name}`,
          name,
          label: labels[name],
          defaultValue: refused?.typed[name] ?? letter?.[name] ?? '',
          error: refused?.errors[name],
          isRequired: true,
          lang: name.endsWith('Ta') ? 'ta' : 'en',
        }
        return name.startsWith('subject') ? (
          <Field key={name} {...field} maxLength={2 * LONGEST_SUBJECT} />
        ) : (
          <TextAreaField key={name} {...field} rows={8} maxLength={2 * LONGEST_LETTER} />
        )
      })}
      <button type="submit" className="button-primary justify-self-start">
        {m.newsletter_desk_save()}
      </button>
    </Form>
  )
}

function TestForm({ letter, refused }: FormProps) {
  const { onSubmit } = useSendOnce(refused)
  const form = useFocusOnError(refused)
  return (
    <Form ref={form} method="post" onSubmit={onSubmit} className="panel grid gap-3 p-4">
      <Known letter={letter} act="test" />
      <Failure refused={refused} />
      <Field
        {...fieldsOf('letter-test', refused)('email')}
        type="email"
        autoComplete="email"
        maxLength={254}
        label={m.newsletter_desk_test()}
      />
      <button type="submit" className="button-plain justify-self-start">
        {m.newsletter_desk_test_button()}
      </button>
    </Form>
  )
}

function SendForm({ letter, count, refused }: FormProps & { count: number }) {
  const { onSubmit } = useSendOnce(refused)
  const form = useFocusOnError(refused)
  return (
    <Form ref={form} method="post" onSubmit={onSubmit} className="panel grid gap-3 p-4">
      <Known letter={letter} act="send" />
      <Failure refused={refused} />
      <p>{m.newsletter_desk_send_text({ count })}</p>
      <OwnPasswordField id="letter-password" error={refused?.errors.password} />
      <button type="submit" className="button-primary justify-self-start">
        {m.newsletter_desk_send()}
      </button>
    </Form>
  )
}

const Preview = ({ letter }: { letter: Letter }) => (
  <TitledPanel id="letter-preview" title={m.newsletter_desk_preview()}>
    {letter.previews.map(({ locale, subject, text }) => (
      <article key={locale} lang={locale} className="mt-3 rounded-control border border-line p-3">
        <h3 className="font-semibold wrap-anywhere">{subject}</h3>
        <p className="mt-2 wrap-anywhere whitespace-pre-line">{text}</p>
      </article>
    ))}
  </TitledPanel>
)

function Letters({ letters, here }: { letters: NewsletterDeskData['letters']; here: number | null }) {
  const to = useLocalPath()
  return (
    <TitledPanel id="letters" title={m.newsletter_desk_letters()}>
      {letters.length === 0 ? (
        <p className="mt-2 text-stone">{m.newsletter_desk_none()}</p>
      ) : (
        <ul className="mt-2 divide-y divide-line">
          {letters.map(({ id, subject, isSent, receivers, at }) => (
            <li key={id} className="py-2">
              <a
                href={to(tableAddress('/admin/newsletter', { letter: id }))}
                aria-current={id === here || undefined}
                className="tap-link font-semibold wrap-anywhere"
              >
                {subject}
              </a>
              <p className="text-sm text-stone">
                {isSent ? m.newsletter_desk_was_sent({ when: at, count: receivers ?? 0 }) : m.newsletter_desk_draft({ when: at })}
              </p>
            </li>
          ))}
        </ul>
      )}
    </TitledPanel>
  )
}
