import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { PostForm } from '#src/ui/post-form.tsx'
import { AddressLines } from './address-lines.tsx'
import type { ShownAddress } from './addresses-view.server.ts'
import { useSendOnce } from '#src/ui/send-once.ts'

/** Asks before removing an address; a page, so that it works without scripts. */
export function AddressRemoval({ address, path, refused }: { address: ShownAddress; path: string; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const { isBusy, onSubmit } = useSendOnce(refused)
  return (
    <>
      <div className="panel mt-4 p-4">
        <AddressLines address={address} />
      </div>
      <p className="mt-4">{m.address_delete_text()}</p>
      {address.listings > 0 && <p className="mt-2">{m.address_delete_listings({ count: address.listings })}</p>}
      {refused && (
        <p role="alert" className="failure mt-4">
          {refused.code === 'INTERNAL' || refused.code === 'UNAVAILABLE' ? m.address_delete_failed() : refused.detail}
        </p>
      )}
      <PostForm action={to(`${path}?remove=${address.id}`)} onSubmit={onSubmit} className="mt-5 flex flex-wrap gap-3">
        <input type="hidden" name="id" value={address.id} />
        <button type="submit" name="act" value="remove" aria-disabled={isBusy} className="button-final">
          {m.address_delete_yes()}
        </button>
        <Link to={to(path)} className="button-plain">
          {m.address_delete_no()}
        </Link>
      </PostForm>
    </>
  )
}
