import { redirect } from 'react-router'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { formHeaders, formLoader, pageAction, type FormRefusal, textOf } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { idIn } from '#src/kit/ids.ts'
import { localized } from '#src/kit/text/locale.ts'
import { getProduct } from '#src/listings/queries.server.ts'
import { m } from '#src/paraglide/messages.js'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Thumbnail } from '#src/ui/picture.tsx'
import { PostForm } from '#src/ui/post-form.tsx'
import { useSendOnce } from '#src/ui/send-once.ts'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { fieldsOf } from '#src/ui/field.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { answerInput, answerQuestion, listQuestions } from './questions.server.ts'
import type { Route } from './+types/listing-question-page'
import { parseInput } from '#src/kit/parse-input.ts'

/** Here a seller answers a question that an admin asks before the verdict. */
export const loader = formLoader(async (ctx, { params, url }) => {
  const id = idIn(params.listingId)
  const [newest] = await listQuestions(ctx, id)
  const { name, photos, seller } = await getProduct(ctx, id)
  const isOpen = newest !== undefined && newest.answeredAt === null && seller.id === ctx.viewer?.id
  return {
    id,
    name,
    photoKey: photos[0]?.key ?? null,
    question: isOpen ? newest.question : null,
    isSent: url.searchParams.has('done'),
  }
})

export const action = pageAction('listing-question', async (ctx, { params, form }): Promise<never> => {
  const id = idIn(params.listingId)
  await answerQuestion(ctx, id, parseInput(answerInput, { answer: textOf(form, 'answer') }))
  throw redirect(localized(`/listing-question/${id}?done=1`, ctx.locale))
})

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.question_title(), description: m.question_lead() }))

export default function ListingQuestionPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  return (
    <div className="mx-auto max-w-xl space-y-4">
      <h1 className="text-2xl">{m.question_title()}</h1>
      <a href={to(`/product/${page.id}`)} className="link-panel">
        {page.photoKey && <Thumbnail mediaKey={page.photoKey} width={72} height={72} className="size-18 rounded-control object-cover" />}
        {page.name}
      </a>
      {page.question === null ? (
        <p role="status" className="notice">
          {page.isSent ? m.question_sent() : m.question_none()}
        </p>
      ) : (
        <>
          <section aria-labelledby="question">
            <h2 id="question" className="text-base font-bold text-stone">
              {m.question_asked()}
            </h2>
            <p className="mt-1 text-lg whitespace-pre-line">{page.question}</p>
          </section>
          <AnswerForm page={page} refused={actionData?.refused} />
        </>
      )}
    </div>
  )
}

function AnswerForm({ page, refused }: { page: Route.ComponentProps['loaderData']; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const form = useFocusOnError(refused)
  const send = useSendOnce(refused)
  return (
    <PostForm ref={form} onSubmit={send.onSubmit} noValidate className="space-y-3">
      <TextAreaField
        {...fieldsOf('question', refused)('answer')}
        rows={4}
        maxLength={600}
        isRequired
        label={m.question_answer()}
        hint={m.question_lead()}
      />
      {refused && refused.code !== 'VALIDATION' && <FormFailure detail={refused.detail} />}
      <button type="submit" className="button-primary">
        {m.question_send()}
      </button>
      <p>
        {m.question_photos()}{' '}
        <a href={to(`/seller-product/${page.id}/edit`)} className="tap-link">
          {m.owner_full_edit()}
        </a>
      </p>
    </PostForm>
  )
}
