import { z } from 'zod'
import { vetRegistration } from '#src/accounts/profile/profile-schemas.ts'
import { seenUsers } from '#src/accounts/people/seen-user.server.ts'
import { userTypes } from '#src/accounts/reference-data.ts'
import { maskPhone } from '#src/accounts/rules.ts'
import { anyPassword } from '#src/accounts/schemas.ts'
import { USERS_PER_PAGE } from '#src/accounts/people/users.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import type { Ctx } from '#src/kit/context.ts'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { formHeaders, formLoader, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { parseId } from '#src/kit/ids.ts'
import { invalidField } from '#src/kit/base/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { Field, OwnPasswordField } from '#src/ui/field.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { PostForm } from '#src/ui/post-form.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { useSendOnce } from '#src/ui/send-once.ts'
import { UndoableDone } from '#src/ui/undo-button.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { TitledPanel } from '#src/ui/panels.tsx'
import { bulkActs, reasonsOf, type BulkAct, bulkActTexts, bulkReasonTexts } from './bulk-acts.ts'
import { actOnUsers, undoDeactivations, whomItConcerns, type BulkResult } from './bulk-users.server.ts'
import type { Route } from './+types/bulk-users-page'

/** The step before an act on several people: shows who can be acted on, and who cannot and why. */
export const loader = formLoader(async (ctx, { url }) => {
  const { act, ids } = chosenIn(url.searchParams)
  // Read before the facts, so that a decision between the two reads is refused.
  const seen = await seenUsers(ctx, ids)
  const concerned = await whomItConcerns(ctx, act, ids)
  const list = Object.fromEntries([...url.searchParams].filter(([name]) => LIST.includes(name)))
  return {
    act,
    list: String(new URLSearchParams(list)),
    people: concerned.map(({ user, obstacle }) => ({
      id: user.id,
      name: user.name,
      phone: maskPhone(user.phone),
      type: userTypes.find(({ id }) => id === user.typeId)?.[ctx.locale] ?? '',
      registration: user.vetRegistration ?? '',
      seen: seen.get(user.id) ?? '',
      obstacle,
    })),
  }
})

/** The filter, order and page of the list that the people were ticked in. */
const LIST: readonly string[] = ['q', 'type', 'show', 'sort', 'page']

function chosenIn(query: URLSearchParams): { act: BulkAct; ids: number[] } {
  const ids = query.getAll('ids').flatMap((id) => parseId(id) ?? [])
  return { act: bulkActs.find((each) => each === query.get('act')) ?? bulkActs[0], ids: [...new Set(ids)].slice(0, USERS_PER_PAGE) }
}

export const action = pageAction('bulk-users', async (ctx, { form, url }): Promise<BulkResult> => {
  const { act, ids } = chosenIn(url.searchParams)
  if (ids.length === 0) throw invalidField('ids', 'field_users_bulk_none')
  if (form.has('undo')) return { ends: await undoDeactivations(ctx, ids), isUndone: true }
  const { reason, password } = parseInput(
    z.object({ reason: z.enum(reasonsOf[act], 'field_users_bulk_reason'), password: anyPassword }),
    Object.fromEntries(form),
  )
  const registrations = act === 'approve-vets' ? await registrationsIn(ctx, ids, form) : new Map<number, string>()
  const seen = new Map(ids.map((id) => [id, textOf(form, `seen-${id}`)]))
  return { ends: await actOnUsers(ctx, act, { ids, reason, password, registrations, seen }), isUndone: false }
})

/**
 * The registration number of each vet who can be approved, or could when the form was rendered.
 * VALIDATION names the first vet without one.
 */
async function registrationsIn(ctx: Ctx, ids: number[], form: FormData): Promise<Map<number, string>> {
  const concerned = await whomItConcerns(ctx, 'approve-vets', ids)
  const able = concerned.filter(({ user, obstacle }) => obstacle === null || form.has(`registration-${user.id}`)).map(({ user }) => user.id)
  const fields = able.map((id) => `registration-${id}`)
  const typed = parseInput(
    z.object(Object.fromEntries(fields.map((field) => [field, vetRegistration]))),
    Object.fromEntries(fields.map((field) => [field, textOf(form, field)])),
  )
  return new Map(able.map((id) => [id, typed[`registration-${id}`]!]))
}

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const headers = formHeaders

type BulkUsersData = Route.ComponentProps['loaderData']

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.users_bulk(), description: m.users_bulk_lead() }))

interface BulkUsersProps extends BulkUsersData {
  refused: FormRefusal | undefined
  result: BulkResult | undefined
}

/** Before the act: the chosen people, the reason and the password. Afterwards: the outcome for each person. */
export default function BulkUsersPage({ loaderData, actionData }: Route.ComponentProps) {
  const { act, people, list } = loaderData
  const ids = people.map(({ id }) => `&ids=${id}`).join('')
  const refused = actionData?.refused
  const result = actionData?.done
  const to = useLocalPath()
  const able = people.filter(({ obstacle }) => obstacle === null)
  return (
    <div className="page-column max-w-3xl">
      <a href={to(`/admin/users?${list}${ids}`)} className="tap-link font-semibold">
        {m.users_to_list()}
      </a>
      <h1 className="text-2xl">{bulkActTexts[act]()}</h1>
      {result ? (
        <Ends {...result} act={act} list={list} />
      ) : people.length === 0 ? (
        <p className="panel p-4">{m.field_users_bulk_none()}</p>
      ) : (
        <>
          <p className="font-semibold">{m.users_bulk_count({ able: able.length, chosen: people.length })}</p>
          {able.length > 0 && <Order act={act} people={people} able={able} refused={refused} list={list} />}
          <Unable people={people.filter(({ obstacle }) => obstacle !== null)} />
        </>
      )}
    </div>
  )
}

type Person = BulkUsersData['people'][number]

function Order({ act, people, able, refused, list }: Omit<BulkUsersProps, 'result' | 'csrf'> & { able: Person[] }) {
  const to = useLocalPath()
  const { isBusy, onSubmit } = useSendOnce(refused)
  const ref = useFocusOnError(refused)
  const { typed = {}, errors = {} } = refused ?? {}
  const query = new URLSearchParams([['act', act], ...people.map(({ id }) => ['ids', String(id)])])
  return (
    <PostForm ref={ref} action={to(`/admin/users/bulk?${query}&${list}`)} onSubmit={onSubmit} noValidate className="panel space-y-4 p-4">
      <ul className="divide-y divide-line" aria-label={m.users_bulk_able()}>
        {able.map((person) => (
          <li key={person.id} className="py-2">
            <Name person={person} />
            <input type="hidden" name={`seen-${person.id}`} value={person.seen} />
            {act === 'approve-vets' && <Registration person={person} refused={refused} />}
          </li>
        ))}
      </ul>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField
          id="bulk-reason"
          name="reason"
          label={m.users_bulk_reason()}
          none={m.users_bulk_reason_none()}
          options={reasonsOf[act].map((reason) => ({ id: reason, name: bulkReasonTexts[reason]() }))}
          defaultValue={typed.reason ?? (reasonsOf[act].length === 1 ? reasonsOf[act][0]! : '')}
          error={errors.reason}
        />
        <OwnPasswordField id="bulk-password" error={errors.password} />
      </div>
      {refused && <FormFailure detail={refused.code === 'VALIDATION' ? (errors.ids ?? m.users_bulk_missing()) : refused.detail} />}
      <button
        type="submit"
        disabled={isBusy}
        className={`${act === 'deactivate' ? 'button-danger' : 'button-primary'} disabled:opacity-60`}
      >
        {m.users_bulk_do({ act: bulkActTexts[act](), count: able.length })}
      </button>
      <p className="text-sm text-stone">{m.users_bulk_noted()}</p>
    </PostForm>
  )
}

function Registration({ person, refused }: Pick<BulkUsersProps, 'refused'> & { person: Person }) {
  const name = `registration-${person.id}`
  return (
    <div className="mt-1 max-w-80">
      <Field
        id={`bulk-${name}`}
        name={name}
        label={`${m.users_registration()}: ${person.name}`}
        defaultValue={refused?.typed[name] ?? person.registration}
        error={refused?.errors[name]}
      />
    </div>
  )
}

const Name = ({ person: { id, name, phone, type } }: { person: Person }) => {
  const to = useLocalPath()
  return (
    <>
      <a href={to(`/admin/users/${id}`)} className="link font-semibold">
        {name}
      </a>{' '}
      <span className="text-stone">
        #{id} · {phone} · {type}
      </span>
    </>
  )
}

/** The chosen people whom the act cannot apply to, each with the reason. */
function Unable({ people }: { people: Person[] }) {
  if (people.length === 0) return null
  return (
    <TitledPanel id="bulk-unable" title={m.users_bulk_unable({ count: people.length })}>
      <ul className="divide-y divide-line">
        {people.map((person) => (
          <li key={person.id} className="py-2">
            <Name person={person} />
            <span className="block text-brick">{person.obstacle}</span>
          </li>
        ))}
      </ul>
    </TitledPanel>
  )
}

function Ends({ ends, isUndone, act, list }: BulkResult & Pick<BulkUsersProps, 'act' | 'list'>) {
  const to = useLocalPath()
  const refused = ends.filter(({ refusal }) => refusal !== null)
  const ids = ends.filter(({ refusal }) => refusal === null).map(({ id }) => ['ids', String(id)])
  const query = new URLSearchParams([['act', act], ...ids])
  return (
    <>
      <UndoableDone
        id="bulk-undo"
        text={(isUndone ? m.users_bulk_undone : m.users_bulk_done)({ count: ids.length })}
        isUndoable={act === 'deactivate' && !isUndone && ids.length > 0}
        action={to(`/admin/users/bulk?${query}&${list}`)}
        fields={{ undo: '1' }}
      />
      {refused.length > 0 && (
        <ul className="panel divide-y divide-line p-4">
          {refused.map(({ id, name, refusal }) => (
            <li key={id} className="py-2">
              <a href={to(`/admin/users/${id}`)} className="link font-semibold">
                {name}
              </a>{' '}
              <span className="block text-brick">{refusal}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
