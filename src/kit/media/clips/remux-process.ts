/**
 * A process for a single uploaded file. It reads the file from stdin, writes one line of JSON and the new file, and exits. Node's permission model
 * lets it only read our sources; it can neither write nor start processes (check-clip.server.ts).
 */
import { isClipKind } from './clip-limits.ts'
import { ClipRefused } from './clip-refused.ts'
import { remuxClip } from './remux-clip.ts'

const kind = process.argv[2]
if (!isClipKind(kind)) throw new Error('Usage: remux-process.ts video|voice < file')

const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk as Buffer)

try {
  const { bytes, ...facts } = await remuxClip(Buffer.concat(chunks), kind)
  process.stdout.write(`${JSON.stringify(facts)}\n`)
  process.stdout.write(bytes)
} catch (error) {
  if (!(error instanceof ClipRefused)) throw error
  process.stdout.write(`${JSON.stringify({ refused: error.reason })}\n`)
}
