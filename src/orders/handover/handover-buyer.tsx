import { Form } from 'react-router'
import { FormFailure } from '#src/ui/form-failure.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { useSendOnce } from '#src/ui/send-once.ts'
import { m } from '#src/paraglide/messages.js'
import { Field, fieldsOf } from '#src/ui/field.tsx'
import { FileField } from '#src/ui/file-field.tsx'
import { CsrfField } from '#src/ui/post-form.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { TitledPanel } from '#src/ui/panels.tsx'
import { CallUs } from '#src/orders/card/order-card.tsx'
import type { HandoverData, HandoverDone } from './handover-view.server.ts'

interface BuyerProps {
  page: HandoverData
  done: HandoverDone | undefined
  refused: FormRefusal | undefined
}

/** For the buyer: check the animal, check the tag, then accept or refuse. */
export function HandoverBuyer({ page, done, refused }: BuyerProps) {
  const { order } = page
  if (done?.kind === 'accepted') return <Accepted code={done.code} payable={order.payable} />
  if (!page.isOnTheWay) return <p className="panel p-4">{order.isOver ? m.handover_over() : m.handover_not_yet()}</p>
  const isOfField = refused && Object.keys(refused.errors).length > 0
  return (
    <>
      {refused && !isOfField && <FormFailure detail={refused.detail} />}
      <TitledPanel id="look" title={m.handover_look()} className="panel space-y-2 p-4">
        <ul className="list-disc space-y-1 pl-5">
          <li>{m.handover_look_same()}</li>
          {order.isAnimal && <li>{m.handover_look_walk()}</li>}
          {order.isAnimal && <li>{m.handover_look_health()}</li>}
        </ul>
      </TitledPanel>
      {page.tag && <TagCheck page={page} tag={page.tag} done={done} refused={refused} />}
      <TitledPanel id="accept" title={m.handover_accept_title()} className="panel space-y-3 p-4">
        <p>{m.handover_accept_text({ amount: order.payable })}</p>
        <Form method="post">
          <Hidden act="accept" />
          <button type="submit" className="button-primary w-full">
            {m.handover_accept()}
          </button>
        </Form>
      </TitledPanel>
      <Refuse refused={refused} />
    </>
  )
}

function Hidden({ act }: { act: string }) {
  return (
    <>
      <CsrfField />
      <input type="hidden" name="act" value={act} />
    </>
  )
}

function Accepted({ code, payable }: { code: string; payable: string }) {
  return (
    <section role="status" className="panel space-y-3 border-leaf bg-leaf-soft p-5 text-center">
      <h2 className="text-lg">{m.handover_code_title()}</h2>
      <p className="text-5xl font-bold" aria-label={[...code].join(' ')}>
        {[...code].join(' ')}
      </p>
      <p>{m.handover_code_text({ amount: payable })}</p>
    </section>
  )
}

type Tag = NonNullable<HandoverData['tag']>

function TagCheck({ page, tag, done, refused }: BuyerProps & { tag: Tag }) {
  const matched = done?.kind === 'tag' ? done.matched : tag.matched
  // Each submit counts as a try.
  const { onSubmit } = useSendOnce(refused ?? done)
  const form = useFocusOnError(refused?.typed.act === 'tag' ? refused : undefined)
  return (
    <TitledPanel id="tag" title={m.handover_tag_title()} className="panel space-y-3 p-4">
      {matched === true && (
        <p role="status" className="done text-leaf">
          {m.handover_tag_match()}
        </p>
      )}
      {matched === false && (
        <p role="status" className="failure">
          {m.handover_tag_differs()} <CallUs phone={page.phone} />
        </p>
      )}
      {matched !== true &&
        (tag.triesLeft > 0 ? (
          <Form ref={form} method="post" onSubmit={onSubmit} className="space-y-3">
            <Hidden act="tag" />
            <Field
              id="digits"
              name="digits"
              inputMode="numeric"
              autoComplete="off"
              maxLength={12}
              label={m.handover_tag_label()}
              hint={tag.triesLeft === 1 ? m.handover_tries_one() : m.handover_tries({ count: tag.triesLeft })}
              defaultValue={refused?.typed.act === 'tag' ? refused.typed.digits : undefined}
              error={refused?.errors.digits}
              className="max-w-40 text-center text-lg"
            />
            <button type="submit" className="button-plain">
              {m.handover_tag_check()}
            </button>
          </Form>
        ) : (
          <p>
            {m.handover_tag_locked()} <CallUs phone={page.phone} />
          </p>
        ))}
    </TitledPanel>
  )
}

function Refuse({ refused }: Pick<BuyerProps, 'refused'>) {
  const ownRefusal = refused?.typed.act === 'refuse' ? refused : undefined
  const { isBusy, onSubmit } = useSendOnce(refused)
  const form = useFocusOnError(ownRefusal)
  return (
    <details open={ownRefusal !== undefined || undefined} className="panel">
      <summary className="min-h-11 content-center px-4 py-2 font-semibold text-brick">{m.handover_refuse_title()}</summary>
      <Form ref={form} method="post" encType="multipart/form-data" onSubmit={onSubmit} className="space-y-3 px-4 pb-4">
        <Hidden act="refuse" />
        <p>{m.handover_refuse_text()}</p>
        <TextAreaField {...fieldsOf('refuse', ownRefusal)('reason')} rows={3} maxLength={500} label={m.handover_refuse_reason()} />
        <FileField
          id="photo"
          name="photo"
          capture="environment"
          label={m.handover_refuse_photo()}
          hint={m.handover_refuse_photo_hint()}
          error={ownRefusal?.errors.photo}
        />
        <button type="submit" aria-disabled={isBusy || undefined} className="button-danger w-full">
          {isBusy ? m.handover_sending() : m.handover_refuse()}
        </button>
      </Form>
    </details>
  )
}
