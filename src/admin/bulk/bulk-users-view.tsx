import { Form } from 'react-router'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { useSendOnce } from '#src/ui/send-once.ts'
import { UndoableDone } from '#src/ui/undo-button.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { bulkActTexts, bulkReasonTexts, reasonsOf } from './bulk-acts.ts'
import type { BulkUsersData } from './bulk-users-page.tsx'
import type { BulkResult } from './bulk-users.server.ts'

interface BulkUsersProps extends BulkUsersData {
  refused: FormRefusal | undefined
  result: BulkResult | undefined
}

/** Before the act: the chosen people, the reason and the password. Afterwards: the outcome for each person. */
export function BulkUsersView({ act, people, csrf, refused, result }: BulkUsersProps) {
  const to = useLocalPath()
  const able = people.filter(({ obstacle }) => obstacle === null)
  return (
    <div className="page-column max-w-3xl">
      <a href={to('/admin/users')} className="tap-link font-semibold">
        {m.users_to_list()}
      </a>
      <h1 className="text-2xl">{bulkActTexts[act]()}</h1>
      {result ? (
        <Ends {...result} act={act} csrf={csrf} />
      ) : people.length === 0 ? (
        <p className="panel p-4">{m.field_users_bulk_none()}</p>
      ) : (
        <>
          <p className="font-semibold">{m.users_bulk_count({ able: able.length, chosen: people.length })}</p>
          {able.length > 0 && <Order act={act} people={people} able={able} csrf={csrf} refused={refused} />}
          <Unable people={people.filter(({ obstacle }) => obstacle !== null)} />
        </>
      )}
    </div>
  )
}

type Person = BulkUsersData['people'][number]

function Order({ act, people, able, csrf, refused }: Omit<BulkUsersProps, 'result' | 'locale' | 'origin'> & { able: Person[] }) {
  const to = useLocalPath()
  const { isBusy, onSubmit } = useSendOnce(refused)
  const ref = useFocusOnError(refused)
  const { typed = {}, errors = {} } = refused ?? {}
  const query = new URLSearchParams([['act', act], ...people.map(({ id }) => ['ids', String(id)])])
  return (
    <Form ref={ref} method="post" action={to(`/admin/users/bulk?${query}`)} onSubmit={onSubmit} noValidate className="panel space-y-4 p-4">
      <input type="hidden" name="csrf" value={csrf} />
      <ul className="divide-y divide-line" aria-label={m.users_bulk_able()}>
        {able.map((person) => (
          <li key={person.id} className="py-2">
            <Name person={person} />
            <input type="hidden" name={`seen-${person.id}`} value={person.seen} />
            {act === 'approve-vets' && (
              <div className="mt-1 max-w-80">
                <Field
                  id={`bulk-registration-${person.id}`}
                  name={`registration-${person.id}`}
                  label={`${m.users_registration()}: ${person.name}`}
                  defaultValue={typed[`registration-${person.id}`] ?? person.registration}
                  error={errors[`registration-${person.id}`]}
                />
              </div>
            )}
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
        <Field
          id="bulk-password"
          name="password"
          type="password"
          autoComplete="current-password"
          label={m.users_own_password()}
          error={errors.password}
        />
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
    </Form>
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
    <section aria-labelledby="bulk-unable" className="panel p-4">
      <h2 id="bulk-unable" className="text-lg">
        {m.users_bulk_unable({ count: people.length })}
      </h2>
      <ul className="divide-y divide-line">
        {people.map((person) => (
          <li key={person.id} className="py-2">
            <Name person={person} />
            <span className="block text-brick">{person.obstacle}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Ends({ ends, isUndone, act, csrf }: BulkResult & Pick<BulkUsersProps, 'act' | 'csrf'>) {
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
        action={to(`/admin/users/bulk?${query}`)}
        fields={{ csrf, undo: '1' }}
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
