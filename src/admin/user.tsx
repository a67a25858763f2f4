import type { ReactNode } from 'react'
import { LostDecision } from '#src/ui/desk-beside.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { PhoneLink } from '#src/accounts/phone-link.tsx'
import { Fact, internalText } from '#src/accounts/profile/profile-fact.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Field, OwnPasswordField } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { FoldedPanel, TitledPanel } from '#src/ui/panels.tsx'
import { Thumbnail } from '#src/ui/picture.tsx'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { RadioCards } from '#src/ui/radio-cards.tsx'
import { ReasonFields } from '#src/ui/reason-fields.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { UndoableDone } from '#src/ui/undo-button.tsx'
import { bulkReasonTexts, reasonsOf } from './bulk/bulk-acts.ts'
import { UserTimeline } from './user-timeline.tsx'
import type { UserPageData } from './user-view.server.ts'

type Page = UserPageData & { refused: FormRefusal | undefined }

const doneTexts: Partial<Record<string, () => string>> = { undo: m.users_undone, undone: m.desk_undone }

/** Shows what an admin may see of a person, and the decisions they may take. Every view and decision is recorded. */
export function UserView(page: Page) {
  const { user, refused, isOwn } = page
  const to = useLocalPath()
  const place = useFocusOnError<HTMLDivElement>(refused)
  return (
    <div ref={place} className="mx-auto max-w-6xl space-y-5 py-2">
      <a href={to('/admin/users')} className="tap-link font-semibold">
        {m.users_back()}
      </a>
      <h1 className="text-2xl">{[user.title, user.name].filter(Boolean).join(' ')}</h1>
      {page.done && !refused && (
        <UndoableDone
          text={(doneTexts[page.done] ?? m.users_done)()}
          isUndoable={['refuse', 'vet-withdraw', 'deactivate'].includes(page.done)}
          fields={{ act: 'undo', done: page.done === 'deactivate' ? 'undo' : 'undone' }}
        />
      )}
      {refused && (
        // The reason is a name from a list, which nobody typed.
        <LostDecision
          refused={{ ...refused, typed: refused.code === 'VERSION' ? { ...refused.typed, reason: '' } : {} }}
          gone={m.users_nothing_waiting()}
        />
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:grid-rows-[auto_1fr]">
        <UserFacts user={user} />
        <div className="space-y-5 lg:row-span-2">
          {isOwn ? <p className="panel p-4">{m.problem_own_row()}</p> : <Decisions {...page} />}
        </div>
        <UserTimeline {...page} />
      </div>
    </div>
  )
}

function UserFacts({ user }: Pick<Page, 'user'>) {
  const to = useLocalPath()
  return (
    <section aria-labelledby="user-facts" className="panel p-4">
      <h2 id="user-facts" className="sr-only">
        {m.users_facts()}
      </h2>
      {user.pictureKey && (
        <Thumbnail
          mediaKey={user.pictureKey}
          alt={m.profile_picture_of({ name: user.name })}
          width={128}
          height={128}
          className="size-32 rounded-full object-cover"
        />
      )}
      <dl className="divide-y divide-line">
        <Fact label={m.users_number()}>{user.id}</Fact>
        <Fact label={m.profile_phone()}>
          <PhoneLink phone={user.phone} className="link" />
        </Fact>
        <Fact label={m.profile_email()}>{user.email ?? m.profile_none()}</Fact>
        <Fact label={m.profile_type()}>{user.type}</Fact>
        <Fact label={m.profile_internal()}>{internalText(user.internalType)}</Fact>
        <Fact label={m.profile_active()}>{user.isActive ? m.profile_yes() : m.profile_no()}</Fact>
        <Fact label={m.profile_pan()}>{user.maskedPan ?? m.profile_none()}</Fact>
        {(user.isVet || user.degree) && <Fact label={m.profile_degree()}>{user.degree ?? m.profile_none()}</Fact>}
        {user.vetRegistration && <Fact label={m.users_registration()}>{user.vetRegistration}</Fact>}
        <Fact label={m.users_since()}>{user.since}</Fact>
      </dl>
      {user.isSeller && user.isActive && (
        <a href={to(`/seller/${user.id}`)} className="tap-link">
          {m.users_public()}
        </a>
      )}
      <p className="mt-2 text-sm text-stone">{m.users_look_noted()}</p>
    </section>
  )
}

function Decisions(page: Page) {
  const { user } = page
  return (
    <>
      {user.requestedType && <RequestBox page={page} type={user.requestedType} />}
      {user.isVet && <VetBox {...page} />}
      {(user.isSeller || user.isVerified) && <BadgeBox {...page} />}
      {page.mayEndLogin && <ActiveBox {...page} />}
      {page.isForSuperAdmin && <PowersBox {...page} />}
    </>
  )
}

function RequestBox({ page, type }: { page: Page; type: string }) {
  return (
    <TitledPanel id="user-request" title={m.users_request_title()} className="panel space-y-3 p-4">
      <p>{m.users_asks({ type })}</p>
      <div className="flex flex-wrap gap-2">
        <Decision page={page} act="approve" submit={m.users_approve()} isQuick />
        <Decision page={page} act="refuse" submit={m.users_refuse({ type })} isTaking isQuick />
      </div>
    </TitledPanel>
  )
}

function VetBox(page: Page) {
  const { user } = page
  return (
    <Box
      title={m.users_vet_title()}
      state={user.vetApproved ? m.users_vet_is_approved() : m.users_vet_waiting()}
      isOpen={!user.vetApproved || isRefused(page, 'vet', 'vet-withdraw')}
    >
      <Decision page={page} act="vet" submit={user.vetApproved ? m.users_vet_change() : m.users_vet_approve()}>
        <Field
          id="user-registration"
          name="registration"
          maxLength={60}
          autoComplete="off"
          label={m.users_registration()}
          hint={m.users_registration_hint()}
          defaultValue={page.refused?.typed.registration ?? user.vetRegistration ?? ''}
          error={page.refused?.errors.registration}
        />
      </Decision>
      {user.vetApproved && <Decision page={page} act="vet-withdraw" submit={m.users_vet_withdraw({ name: user.name })} isTaking />}
    </Box>
  )
}

function BadgeBox(page: Page) {
  const { user } = page
  const act = user.isVerified ? 'badge-withdraw' : 'badge'
  return (
    <Box
      title={m.card_verified_seller()}
      state={user.isVerified ? m.users_badge_is_given() : m.users_badge_is_not()}
      isOpen={isRefused(page, 'badge', 'badge-withdraw')}
    >
      {user.verifiedNote && <p className="break-words text-stone">{m.users_badge_last({ note: user.verifiedNote })}</p>}
      <Decision page={page} act={act} submit={user.isVerified ? m.users_badge_withdraw() : m.users_badge_give()} isTaking={user.isVerified}>
        <Field
          id="user-note"
          name="note"
          maxLength={200}
          autoComplete="off"
          label={user.isVerified ? m.users_badge_reason() : m.users_badge_note()}
          hint={m.users_note_hint()}
          defaultValue={page.refused?.typed.act === act ? page.refused.typed.note : undefined}
          error={page.refused?.errors.note}
        />
      </Decision>
    </Box>
  )
}

function ActiveBox(page: Page) {
  const { user, refused } = page
  const reasons = reasonsOf.deactivate.map((id) => ({ id, name: bulkReasonTexts[id]() }))
  return (
    <Box title={user.isActive ? m.users_deactivate() : m.users_activate()} isOpen={isRefused(page, 'deactivate', 'active')}>
      <p>{user.isActive ? m.users_deactivate_text() : m.users_activate_text()}</p>
      {user.isActive ? (
        <Decision page={page} act="deactivate" submit={m.users_deactivate_one({ name: user.name })} isTaking>
          <ReasonFields id="user-active" label={m.users_bulk_reason()} reasons={reasons} refused={refused} />
        </Decision>
      ) : (
        <Decision page={page} act="active" submit={m.users_activate()} isPlain />
      )}
    </Box>
  )
}

function PowersBox(page: Page) {
  const { user } = page
  return (
    <Box title={m.users_powers_title()} isOpen={isRefused(page, 'powers')}>
      <Decision page={page} act="powers" submit={m.users_powers_save()} isPlain>
        <SelectField
          id="user-type"
          name="typeId"
          label={m.profile_type()}
          options={page.types}
          defaultValue={page.refused?.typed.typeId ?? user.typeId}
        />
        <RadioCards
          id="user-internal"
          name="internalType"
          legend={m.profile_internal()}
          options={page.internalTypes}
          chosen={page.refused?.typed.internalType ?? user.internalType}
          columns="sm:grid-cols-2"
          error={page.refused?.errors.internalType}
        />
      </Decision>
    </Box>
  )
}

interface BoxProps {
  title: string
  state?: string
  isOpen: boolean
  children: ReactNode
}

/** Decisions that nobody waits for are folded, so that the history is near. `state` is how things are now. */
const Box = ({ title, state, isOpen, children }: BoxProps) => (
  <FoldedPanel title={[title, state].filter(Boolean).join(' · ')} isOpen={isOpen}>
    <div className="space-y-3 px-4 pb-4">{children}</div>
  </FoldedPanel>
)

const isRefused = ({ refused }: Page, ...acts: string[]) => acts.includes(refused?.typed.act ?? 'none')

function Decision({ page, act, submit, isPlain = false, isTaking = false, isQuick = false, children }: DecisionProps) {
  const refused = page.refused?.typed.act === act ? page.refused : undefined
  const form = useFocusOnError(refused)
  return (
    <PostForm ref={form} reloadDocument noValidate className="grid gap-3">
      <HiddenFields act={act} seen={page.seen} />
      {children}
      {!isQuick && <OwnPasswordField id={`user-${act}-password`} error={refused?.errors.password} />}
      <button
        type="submit"
        className={`justify-self-start ${isTaking ? 'button-plain border-brick text-brick' : isPlain ? 'button-plain' : 'button-primary'}`}
      >
        {submit}
      </button>
    </PostForm>
  )
}
interface DecisionProps {
  page: Page
  act: string
  submit: string
  isPlain?: boolean
  /** The decision takes something away from the person. */
  isTaking?: boolean
  /** The decision needs no password. */
  isQuick?: boolean
  children?: ReactNode
}
