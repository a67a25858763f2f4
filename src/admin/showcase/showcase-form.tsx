import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { LONGEST_TEXT, LONGEST_TITLE } from '#src/storefront/showcase/limits.ts'
import { weekdayText } from '#src/storefront/showcase/weekday-text.ts'
import { Choice } from '#src/ui/choice.tsx'
import { Field } from '#src/ui/field.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { useLocale } from '#src/ui/language.ts'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { useSendOnce } from '#src/ui/send-once.ts'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import type { ShowcaseData } from './showcase-view.server.ts'

export type Kind = ShowcaseData['kind']
export type Item = ShowcaseData['items'][number]

/** Labels of heading, text and place, by kind. */
const labels: Record<Kind, { title: () => string; text: () => string; place: (() => string) | null }> = {
  banner: { title: m.showcase_banner_title, text: m.showcase_banner_text, place: null },
  voice: { title: m.showcase_voice_name, text: m.showcase_voice_text, place: m.showcase_voice_place },
  market_day: { title: m.showcase_day_name, text: m.showcase_day_text, place: m.showcase_day_place },
}

interface FormProps {
  kind: Kind
  /** Undefined for a new item. */
  item?: Item
  refused: FormRefusal | undefined
}

/** One form for the three kinds, which differ in labels and in how their time is set. */
export function ShowcaseForm({ kind, item, refused }: FormProps) {
  const { onSubmit } = useSendOnce(refused)
  const form = useFocusOnError(refused)
  const id = `front-${item?.id ?? 'new'}`
  const field = (name: keyof Item) => ({
    id: `${id}-${name}`,
    name,
    defaultValue: refused?.typed[name] ?? String(item?.[name] ?? ''),
    error: refused?.errors[name],
  })
  return (
    <PostForm ref={form} onSubmit={onSubmit} className="grid gap-3">
      {refused && Object.keys(refused.errors).length === 0 && <FormFailure {...refused} />}
      <HiddenFields act={item ? 'change' : 'add'} kind={kind} id={item?.id} version={item?.version} />
      <Words kind={kind} field={field} />
      {kind === 'banner' && (
        <Field {...field('path')} label={m.showcase_path()} hint={m.showcase_path_hint()} placeholder="/buy/1" maxLength={200} isRequired />
      )}
      {kind !== 'voice' && <When kind={kind} field={field} />}
      <Field
        {...field('position')}
        defaultValue={refused?.typed.position ?? String(item?.position ?? 0)}
        label={m.showcase_position()}
        hint={m.showcase_position_hint()}
        inputMode="numeric"
        maxLength={2}
      />
      {kind === 'voice' && <Consent refused={refused} />}
      <Choice
        type="checkbox"
        name="isShown"
        value="1"
        defaultChecked={refused ? refused.typed.isShown === '1' : (item?.isShown ?? true)}
        className="gap-2"
      >
        {m.showcase_shown()}
      </Choice>
      <button type="submit" className="button-primary justify-self-start">
        {item ? m.order_save() : m.showcase_add()}
      </button>
    </PostForm>
  )
}

/** A field in both languages, side by side. */
function Words({ kind, field }: { kind: Kind; field: FieldOf }) {
  const { title, text, place } = labels[kind]
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field {...field('titleTa')} label={m.showcase_in_tamil({ what: title() })} maxLength={2 * LONGEST_TITLE} isRequired lang="ta" />
      <Field {...field('titleEn')} label={m.showcase_in_english({ what: title() })} maxLength={2 * LONGEST_TITLE} isRequired lang="en" />
      <TextAreaField
        {...field('textTa')}
        label={m.showcase_in_tamil({ what: text() })}
        rows={3}
        maxLength={2 * LONGEST_TEXT}
        isRequired
        lang="ta"
      />
      <TextAreaField
        {...field('textEn')}
        label={m.showcase_in_english({ what: text() })}
        rows={3}
        maxLength={2 * LONGEST_TEXT}
        isRequired
        lang="en"
      />
      {place && (
        <>
          <Field
            {...field('placeTa')}
            label={m.showcase_in_tamil({ what: place() })}
            maxLength={160}
            isRequired={kind === 'voice'}
            lang="ta"
          />
          <Field
            {...field('placeEn')}
            label={m.showcase_in_english({ what: place() })}
            maxLength={160}
            isRequired={kind === 'voice'}
            lang="en"
          />
        </>
      )}
    </div>
  )
}

/** Confirms that the quoted person agrees. Required at each change, because the text may differ. */
function Consent({ refused }: { refused: FormRefusal | undefined }) {
  return (
    <div>
      <Choice type="checkbox" name="isAgreed" value="1" defaultChecked={refused?.typed.isAgreed === '1'} className="gap-2">
        {m.showcase_agreed()}
      </Choice>
      {refused?.errors.isAgreed && <p className="text-sm font-semibold text-brick">{refused.errors.isAgreed}</p>}
    </div>
  )
}

type FieldOf = (name: keyof Item) => { id: string; name: string; defaultValue: string; error: string | undefined }

/** A market day repeats weekly or lasts from one day to another; a banner lasts from one day to another. */
function When({ kind, field }: { kind: Kind; field: FieldOf }) {
  const locale = useLocale()
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      {kind === 'market_day' && (
        <SelectField
          {...field('weekday')}
          label={m.showcase_weekday()}
          none={m.showcase_dated()}
          options={Array.from({ length: 7 }, (_, weekday) => ({ id: weekday, name: weekdayText(weekday, locale) }))}
        />
      )}
      <Field {...field('fromDay')} type="date" label={m.showcase_from()} />
      <Field {...field('toDay')} type="date" label={m.showcase_to()} />
    </div>
  )
}
