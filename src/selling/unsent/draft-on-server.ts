import { send } from '#src/kit/http/post-json.ts'
import type { DraftOf } from './store.ts'
import type { PutAnswer, StoredDraft } from './sync.ts'

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
