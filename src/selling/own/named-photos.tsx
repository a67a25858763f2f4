import { useState } from 'react'
import { readFiles } from '#src/kit/device/read-file.ts'
import { sendPicture, shrunk } from '#src/kit/device/send-picture.ts'
import { m } from '#src/paraglide/messages.js'
import { FileButton } from '#src/ui/file-field.tsx'

type Waiting = { id: number; photoName: string }[]

/** The name without its folder and ending, which phones and programs change. */
const plainName = (name: string) =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/^.*[\\/]|\.[a-z\d]{2,5}$/g, '')
    .trim()

/** The chosen file of each draft that has one. */
export const pairsOf = <T extends { name: string }>(waiting: Waiting, files: T[]): { id: number; file: T }[] =>
  waiting.flatMap(({ id, photoName }) => {
    const file = files.find(({ name }) => plainName(name) === plainName(photoName))
    return file ? [{ id, file }] : []
  })

/** Ten pictures a minute are allowed. */
const NEXT_MINUTE_MS = 61_000
const SHOWN_NAMES = 5

/** Sends the photo of one draft. A busy minute is waited for once. */
async function sendPhoto(id: number, file: File) {
  const [read] = await readFiles([file])
  if (!(read instanceof File)) return { isStored: false as const, status: 0, reason: read!.message }
  const picture = await shrunk(read)
  const send = () => sendPicture(picture, { path: '/api/v1/productimages', field: 'images', fields: { product: String(id) } })
  const sent = await send()
  if (sent.isStored || sent.status !== 429) return sent
  await new Promise((resolve) => setTimeout(resolve, NEXT_MINUTE_MS))
  return send()
}

/** Drafts of a table wait for their photos: a seller chooses all at once, and each goes to its animal by the name of its file. */
export function NamedPhotos({ waiting }: { waiting: Waiting }) {
  const [status, setStatus] = useState('')
  const [problems, setProblems] = useState<string[]>([])
  const [sentIds, setSentIds] = useState<number[]>([])
  const left = waiting.filter(({ id }) => !sentIds.includes(id))
  const names = left.slice(0, SHOWN_NAMES).map(({ photoName }) => photoName)
  const listed = names.join(', ') + (left.length > SHOWN_NAMES ? ' …' : '')

  async function sendAll(files: File[]) {
    const pairs = pairsOf(left, files)
    const refused: string[] = pairs.length === 0 ? [m.own_named_none({ names: listed })] : []
    for (const [done, { id, file }] of pairs.entries()) {
      setStatus(m.own_named_sending({ done: done + 1, all: pairs.length }))
      const sent = await sendPhoto(id, file)
      if (sent.isStored) {
        setSentIds((ids) => [...ids, id])
        continue
      }
      refused.push(`${file.name}: ${sent.reason}`)
      // The day's limit, or no line: the next one fares no better.
      if (sent.status === 429 || sent.status === 0) break
    }
    if (refused.length === 0) return location.reload()
    setStatus('')
    setProblems(refused)
  }

  return (
    <section className="notice space-y-3 p-4">
      <p className="font-semibold">{m.own_named_photos({ count: left.length })}</p>
      <p className="text-sm break-words">{listed}</p>
      <p role="status">{status}</p>
      {problems.map((problem) => (
        <p key={problem} role="alert" className="failure break-words">
          {problem}
        </p>
      ))}
      <FileButton
        multiple
        disabled={status !== ''}
        onChange={({ currentTarget: input }) => {
          const files = [...(input.files ?? [])]
          input.value = ''
          void sendAll(files)
        }}
        className="button-plain noscript:hidden"
      >
        {m.own_named_choose()}
      </FileButton>
    </section>
  )
}
