import type { LaterUpload } from '#src/kit/device/send-later.ts'
import { isFromMarket } from '#src/kit/http/market-answer.ts'

// The client of tus 1.0 (decision 0081) for the worker, where the package's own XMLHttpRequest does not exist.

/** Bytes that a lost connection costs at most. */
const PART_BYTES = 256 * 1024
const PATH = '/api/v1/clip-upload'
const protocol = { 'Tus-Resumable': '1.0.0' }

/** `refused`: an answer that ends this attempt, also one that is not the market's. */
type Uploaded = { id: string; refused?: undefined } | { refused: Response }

/**
 * Continues an earlier upload, or begins one and notes its id. Throws when a later attempt may succeed. An earlier id that the server no
 * longer knows is returned as it is: the server may have made the clip of it.
 */
export async function uploadFile(
  { blob, id: earlier }: LaterUpload,
  csrf: string,
  noteId: (id: string | undefined) => Promise<unknown>,
): Promise<Uploaded> {
  const headers = { ...protocol, 'X-CSRFToken': csrf }
  let offset = 0
  let id = earlier
  if (id === undefined) {
    const begun = await fetch(PATH, { method: 'POST', headers: { ...headers, 'Upload-Length': String(blob.size) } })
    if (!isAccepted(begun)) return { refused: begun }
    id = begun.headers.get('Location')!.split('=')[1]!
    await noteId(id)
  } else {
    const found = await findUpload(id)
    if (found.status === 404 && isFromMarket(found)) return { id }
    if (!isAccepted(found)) return { refused: found }
    offset = ((await found.json()) as { offset: number }).offset
  }
  while (offset < blob.size) {
    const part = await fetch(`${PATH}/id=${id}`, {
      method: 'PATCH',
      headers: { ...headers, 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' },
      body: blob.slice(offset, offset + PART_BYTES),
    })
    // Another attempt was faster, or the upload has just been deleted: the next attempt asks again.
    if (isFromMarket(part) && (part.status === 409 || part.status === 404)) throw new Error('The upload has changed.')
    if (!isAccepted(part)) return { refused: part }
    offset = Number(part.headers.get('Upload-Offset'))
  }
  return { id }
}

const isAccepted = (response: Response) => response.ok && isFromMarket(response)

/** Asks the server for the upload: 404 when the server has used or deleted it. */
export const findUpload = (id: string): Promise<Response> => fetch(`${PATH}/id=${id}`, { headers: protocol, cache: 'no-store' })
