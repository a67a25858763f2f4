import { send } from '#src/kit/http/post-json.ts'
import type { Typed } from './draft-fields.ts'
import type { DraftOf } from './draft-on-device.ts'

/** A draft as the server stores it. */
export interface StoredDraft {
  typed: Typed
  version: number
}

/** `version` is the server's own, `sent` says that the form was submitted already. */
interface PutAnswer {
  version: number
  saved: boolean
  sent: boolean
}

const pathOf = ({ listingId }: DraftOf) => `/api/v1/listing-draft${listingId ? `?listing=${listingId}` : ''}`

/** `answer` is null after a refusal, `status` undefined when no server answered. */
export async function putDraft(of: DraftOf, draft: StoredDraft): Promise<{ status: number | undefined; answer: PutAnswer | null }> {
  const response = await send('PUT', pathOf(of), draft).catch(() => null)
  const answer = response?.ok ? ((await response.json().catch(() => null)) as PutAnswer | null) : null
  return { status: response?.status, answer }
}

/** The server's current draft; null when no server answers. */
export async function readDraft(of: DraftOf): Promise<StoredDraft | null> {
  const response = await fetch(pathOf(of), { cache: 'no-store' }).catch(() => null)
  return response?.ok ? ((await response.json().catch(() => null)) as StoredDraft | null) : null
}
