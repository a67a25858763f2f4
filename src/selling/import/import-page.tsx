import { redirect } from 'react-router'
import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { can } from '#src/accounts/policy.ts'
import { requireConsent } from '#src/accounts/consent.server.ts'
import { formHeaders, formLoader, pageAction, type FormRefusal } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { localized } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { readBook } from '#src/selling/form/sell-view.server.ts'
import { Choice } from '#src/ui/choice.tsx'
import { FileField } from '#src/ui/file-field.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { PostForm } from '#src/ui/post-form.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { actOnImport } from './import-action.server.ts'
import { MAX_ROWS } from './read-import.server.ts'
import type { Route } from './+types/import-page'

/** Imports many animals from a spreadsheet, for sellers. */
export const loader = formLoader(async (ctx, { url, site }) => {
  const viewer = requireViewer(ctx, url)
  if (!can(viewer, 'sell') || can(viewer, 'operate')) throw redirect(localized('/sell', ctx.locale))
  await requireConsent(ctx, url)
  const book = await readBook(ctx, viewer.id, site.noteAway)
  if (book?.length === 0) throw redirect(localized('/my-addresses/sell/selleraddress', ctx.locale))
  return { book, maxRows: MAX_ROWS }
})

export const action = pageAction('sell-import', actOnImport)

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>((page) => ({ title: m.import_title(), description: m.import_lead({ count: page.maxRows }) }))

type ImportData = Route.ComponentProps['loaderData']

interface ViewProps {
  page: ImportData
  refused: FormRefusal | undefined
  preview: ImportPreview | undefined
}

type ImportPreview = NonNullable<NonNullable<Route.ComponentProps['actionData']>['done']>

export default function ImportPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const refused = actionData?.refused
  const preview = actionData?.done
  return (
    <div className="page-column max-w-2xl md:py-6">
      <h1 className="text-2xl">{m.import_title()}</h1>
      <p className="text-stone">{m.import_lead({ count: page.maxRows })}</p>
      {refused && refused.code !== 'VALIDATION' && <FormFailure detail={refused.detail} />}
      {preview ? <Preview page={page} preview={preview} /> : <Choose refused={refused} />}
    </div>
  )
}

function Choose({ refused }: Pick<ViewProps, 'refused'>) {
  const to = useLocalPath()
  const errors = refused?.code === 'VALIDATION' ? refused.errors : {}
  return (
    <PostForm reloadDocument encType="multipart/form-data" className="form-panel sm:p-5">
      <ol className="list-decimal space-y-1 pl-5">
        <li>
          <a href={to('/sell/import.csv')} download className="tap-link font-semibold">
            {m.import_template()}
          </a>
        </li>
        <li>{m.import_fill()}</li>
        <li>{m.import_save()}</li>
      </ol>
      <FileField
        id="import-file"
        name="file"
        accept=".csv,text/csv,text/plain"
        label={m.import_file()}
        error={errors.table ?? errors.pickup ?? errors.isAllowed}
      />
      <button type="submit" name="act" value="preview" className="button-primary">
        {m.import_check()}
      </button>
    </PostForm>
  )
}

function Preview({ page, preview }: { page: ImportData; preview: ImportPreview }) {
  const to = useLocalPath()
  const right = preview.rows.filter(({ isRight }) => isRight).length
  const wrong = preview.rows.length - right
  return (
    <>
      <p role="status" className={wrong > 0 ? 'notice font-semibold' : 'done'}>
        {preview.listed === null ? m.import_found({ right, wrong }) : m.import_partly({ listed: preview.listed, wrong })}
      </p>
      {preview.unknown.length > 0 && <p className="text-sm">{m.import_unknown({ names: preview.unknown.join(', ') })}</p>}
      <ul className="panel divide-y divide-line px-4">
        {preview.rows.map((row) => (
          <li key={row.number} className="py-2 break-words">
            <span className="text-sm text-stone">{m.import_row({ number: row.number })}</span> <b>{row.name}</b>{' '}
            {row.isRight && <span className="text-leaf">✓</span>}
            {row.ownerName && <span className="block text-sm">{m.import_for_owner({ owner: row.ownerName })}</span>}
            {row.photo && <span className="block text-sm">{m.import_photo_of({ name: row.photo })}</span>}
            {row.problems.map(({ column, text }) => (
              <span key={column + text} className="block text-sm font-semibold text-brick">
                {column}: {text}
              </span>
            ))}
          </li>
        ))}
      </ul>
      {right > 0 && <Confirm page={page} preview={preview} count={right} />}
      <a href={to('/sell/import')} className="button-plain">
        {m.import_other()}
      </a>
    </>
  )
}

function Confirm({ page, preview, count }: { page: ImportData; preview: ImportPreview; count: number }) {
  return (
    <PostForm reloadDocument encType="multipart/form-data" className="form-panel sm:p-5">
      <input type="hidden" name="key" value={preview.key} />
      <input type="hidden" name="table" value={preview.table} />
      <SelectField
        id="import-pickup"
        name="pickup"
        label={m.sell_pickup_title()}
        options={(page.book ?? []).map(({ id, name, place }) => ({ id, name: `${name}, ${place.taluk}` }))}
      />
      <div>
        <Choice type="checkbox" name="isAllowed" value="1" required aria-describedby="import-allowed-hint">
          {m.sell_allowed()}
        </Choice>
        <p id="import-allowed-hint" className="mt-1 text-sm text-stone">
          {m.sell_allowed_hint()}
        </p>
      </div>
      <p>{m.import_photos()}</p>
      <button type="submit" name="act" value="import" className="button-primary">
        {m.import_go({ count })}
      </button>
    </PostForm>
  )
}
