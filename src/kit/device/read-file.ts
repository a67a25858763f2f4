import { m } from '#src/paraglide/messages.js'

/** A chosen file that cannot be read. The message names the file. */
export class FileUnread extends Error {}

/** Copies a chosen file into memory, because a cloud app may change or remove it while it waits to be sent. Throws FileUnread. */
export async function readFile(file: File): Promise<File> {
  const bytes = await file.arrayBuffer().catch(() => {
    throw new FileUnread(m.file_unread({ name: file.name }))
  })
  if (bytes.byteLength === 0) throw new FileUnread(m.file_empty({ name: file.name }))
  return new File([bytes], file.name, { type: file.type })
}

/** The same for several files: each as its copy or as the reason why it cannot be read. */
export const readFiles = (files: File[]): Promise<(File | FileUnread)[]> =>
  Promise.all(
    files.map((file) =>
      readFile(file).catch((error: unknown) => {
        if (error instanceof FileUnread) return error
        throw error
      }),
    ),
  )
