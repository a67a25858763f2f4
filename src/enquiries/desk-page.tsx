import { redirect } from 'react-router'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { ageOf } from '#src/kit/records/waiting.ts'
import { afterRefusalToo } from '#src/kit/device/offline-form.ts'
import { formHeaders, formLoader, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { searchText } from '#src/kit/text/plain-text.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { answersFor } from '#src/ready-answers/queries.server.ts'
import { readPageNumber, tableAddress } from '#src/ui/desk-query.ts'
import { PhoneLink } from '#src/accounts/phone-link.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { AgeChip } from '#src/ui/age-chip.tsx'
import { DeskQueue, LostDecision } from '#src/ui/desk-beside.tsx'
import { SearchHead } from '#src/ui/desk-filter.tsx'
import { TableViews, type Column } from '#src/ui/desk-table.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { UndoableDone } from '#src/ui/undo-button.tsx'
import { shownEnquiry } from './enquiry-view.server.ts'
import { judgeByForm } from './judging.server.ts'
import { DESK_PER_PAGE, getEnquiry, listForDesk, readVerdicts, WANTED_STATES, type Enquiry } from './queries.server.ts'
import { Judging } from './enquiry-acts.tsx'
import { EnquiryChips, kindFacts } from './enquiry-card.tsx'
import type { Route } from './+types/desk-page'

/** Pending enquiries with the one to decide beside them, and decided ones. */
export const loader = formLoader(async (ctx, { url }) => {
  const query = url.searchParams
  const state = WANTED_STATES.find((each) => each === query.get('state')) ?? 'pending'
  const page = readPageNumber(query.get('page'))
  const text = searchText(query.get('q') ?? '', 80)
  const { enquiries, counts } = await listForDesk(ctx, { state, page, text })
  const { enquiries: target } = (await readSettings(ctx)).deskTargets
  const chosen = parseId(query.get('enquiry') ?? undefined)
  const one = chosen === null ? (state === 'pending' ? enquiries[0] : undefined) : await getEnquiry(ctx, chosen)
  return {
    text,
    state,
    page,
    perPage: DESK_PER_PAGE,
    counts,
    rows: enquiries.map((enquiry) => ({ ...shownEnquiry(ctx, enquiry), waits: ageOf(enquiry.createdAt, ctx.now, target) })),
    one: one ? await shownOne(ctx, one, target) : null,
    isChosen: chosen !== null,
    done: (['approved', 'refused', 'undone'] as const).find((each) => each === query.get('done')) ?? null,
    of: query.get('of') ?? '',
  }
})

async function shownOne(ctx: Ctx, enquiry: Enquiry, target: number) {
  await audit(ctx, 'sensitive_read', `enquiry:${enquiry.id}`, { what: 'contact' })
  const { locale, verdicts } = await readVerdicts(ctx, enquiry.id)
  return {
    enquiry: shownEnquiry(ctx, enquiry),
    age: ageOf(enquiry.createdAt, ctx.now, target),
    verdicts: verdicts.map(({ at, ...verdict }) => ({ ...verdict, at: formatMoment(at, ctx.locale) })),
    answers: await answersFor(ctx, 'enquiries', locale),
  }
}

export const action = pageAction('enquiry-desk', async (ctx, { form, url }): Promise<never> => {
  const id = parseId(textOf(form, 'enquiry') || (url.searchParams.get('enquiry') ?? undefined))
  if (id === null) throw notFound()
  const done = await judgeByForm(ctx, id, form)
  throw redirect(localized(`/admin/enquiries?done=${done}&of=${id}`, ctx.locale))
})

export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.desk_enquiries(), description: m.enquiry_desk_lead() }))

type EnquiryDeskData = Route.ComponentProps['loaderData']
type Row = EnquiryDeskData['rows'][number]
type One = NonNullable<EnquiryDeskData['one']>
type State = EnquiryDeskData['state']

const stateTexts: Record<State, () => string> = {
  pending: m.wanted_pending,
  open: m.wanted_state_open,
  refused: m.wanted_not_verified,
  over: m.wanted_state_over,
}

const doneTexts = { approved: m.enquiry_done_approved, refused: m.enquiry_done_refused, undone: m.desk_undone }

export default function EnquiryDeskPage({ loaderData, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  const { text, state, page, rows, one, counts, done, of, isChosen, perPage } = loaderData
  const answer = actionData?.refused
  const refused = answer?.typed.act === 'undo' ? undefined : answer
  return (
    <div className="space-y-2">
      <SearchHead
        title={m.desk_enquiries()}
        path="/admin/enquiries"
        text={text}
        choices={{ state: state === 'pending' ? undefined : state }}
      />
      {done && !answer && <UndoableDone text={doneTexts[done]()} isUndoable={done === 'refused'} fields={{ act: 'undo', enquiry: of }} />}
      {answer && !refused && <FormFailure {...answer} />}
      <TableViews
        views={(Object.keys(stateTexts) as State[]).map((name) => ({
          name: stateTexts[name](),
          address: to(tableAddress('/admin/enquiries', { q: text, state: name === 'pending' ? null : name })),
          isHere: name === state,
          count: counts[name],
        }))}
      />
      <DeskQueue
        caption={m.desk_enquiries()}
        columns={columns(state, one !== null)}
        rows={rows}
        keyOf={({ id }) => id}
        none={text ? m.desk_none_found() : state === 'pending' ? m.enquiry_desk_none() : m.enquiry_desk_empty()}
        path="/admin/enquiries"
        choices={{ q: text, state: state === 'pending' ? null : state }}
        parameter="enquiry"
        pages={{ page, perPage, count: counts[state] }}
        open={one && { key: one.enquiry.id, label: m.enquiry_title({ what: one.enquiry.what }), isChosen }}
        refused={refused}
      >
        {() => one && <OnePanel key={one.enquiry.id} one={one} refused={refused} />}
      </DeskQueue>
    </div>
  )
}

/** Facts and the poster's own words; a card shows them under the name. */
const Asked = ({ enquiry, more }: { enquiry: Row; more: (string | null)[] }) => (
  <>
    {[...kindFacts(enquiry), ...more].filter(Boolean).join(' · ')}{' '}
    <span className="break-words text-stone max-md:line-clamp-2">{enquiry.description}</span>
  </>
)

/** Beside the open enquiry there is room for few columns, so price and place stand among the details. */
const columns = (state: State, isNarrow: boolean): Column<Row>[] => {
  const poster: Column<Row> = {
    id: 'for',
    label: m.enquiry_desk_for(),
    width: `md:w-1/6 ${isNarrow ? 'xl:hidden' : ''}`,
    onCard: 'bare',
    cell: ({ postedFor, poster: name }) => postedFor ?? name,
  }
  const apart: Column<Row>[] = [
    { id: 'place', label: m.enquiry_desk_place(), onCard: 'bare', cell: ({ place }) => place },
    { id: 'price', label: m.enquiry_desk_price(), isNumber: true, cell: ({ price }) => price },
    { id: 'answers', label: m.enquiry_desk_answers(), isNumber: true, cell: ({ offers }) => offers },
  ]
  const among = ({ price, place }: Row) => (isNarrow ? [price && m.wanted_price({ price }), place] : [])
  return [
    { id: 'what', label: m.enquiry_desk_what(), width: 'md:w-1/5', cell: ({ what }) => what },
    {
      id: 'asked',
      label: m.enquiry_details(),
      width: 'md:w-1/3',
      onCard: 'bare',
      cell: (enquiry) => <Asked enquiry={enquiry} more={among(enquiry)} />,
    },
    { id: 'count', label: m.enquiry_count(), isNumber: true, cell: ({ count }) => (count === 0 ? m.enquiry_count_open() : String(count)) },
    poster,
    ...(isNarrow ? [] : apart),
    state === 'pending'
      ? { id: 'age', label: m.enquiry_desk_age(), onCard: 'bare', cell: ({ waits }) => <AgeChip age={waits} /> }
      : { id: 'posted', label: m.enquiry_desk_posted(), cell: ({ posted }) => posted },
  ]
}

function OnePanel({ one, refused }: { one: One; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const { enquiry, verdicts } = one
  const number = enquiry.count === 0 ? m.enquiry_count_open() : m.wanted_count({ count: enquiry.count })
  return (
    <article aria-labelledby="enquiry-one" className="panel space-y-3 p-4">
      <EnquiryChips enquiry={enquiry} />
      <h2 id="enquiry-one" className="text-lg">
        <a href={to(`/view-enquiry/${enquiry.id}`)} className="inline-link">
          {m.enquiry_title({ what: enquiry.what })}
        </a>
      </h2>
      <p>
        <b>{enquiry.price ? m.wanted_price({ price: enquiry.price }) : m.enquiry_price_open()}</b> · {enquiry.place}
      </p>
      <p className="text-sm">{[number, ...kindFacts(enquiry)].join(' · ')}</p>
      <p className="break-words whitespace-pre-line">{enquiry.description}</p>
      <p className="row gap-x-2">
        <a href={to(`/admin/users/${enquiry.posterId}`)} className="tap-link font-semibold">
          {enquiry.postedFor ?? enquiry.poster}
        </a>
        {enquiry.contact && <PhoneLink phone={enquiry.contact} className="tap-link" />}
        {enquiry.verified === 'pending' && <AgeChip age={one.age} />}
      </p>
      {enquiry.canJudge ? (
        <Judging page={{ enquiry, path: `/admin/enquiries?enquiry=${enquiry.id}` }} refused={refused} answers={one.answers} />
      ) : (
        refused && <LostDecision refused={refused} gone={m.problem_enquiry_step()} />
      )}
      {refused?.code === 'VERSION' && (
        <Link to={to('/admin/enquiries')} className="tap-link font-semibold">
          {m.verify_queue_next()}
        </Link>
      )}
      {verdicts.length > 0 && <Verdicts verdicts={verdicts} />}
    </article>
  )
}

const Verdicts = ({ verdicts }: Pick<One, 'verdicts'>) => (
  <section aria-labelledby="enquiry-verdicts">
    <h3 id="enquiry-verdicts" className="text-sm text-stone">
      {m.users_history()}
    </h3>
    <ol className="divide-y divide-line">
      {verdicts.map((verdict, n) => (
        <li key={n} className="py-2 text-sm">
          <b>{verdict.passed ? m.wanted_verified() : m.wanted_not_verified()}</b>
          <span className="block break-words">{verdict.comment}</span>
          <span className="block text-stone">
            {verdict.at} · {verdict.adminName || m.profile_deleted_user()}
          </span>
        </li>
      ))}
    </ol>
  </section>
)
