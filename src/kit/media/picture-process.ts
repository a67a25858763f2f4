/**
 * A process that decodes uploaded pictures one after another: it receives bytes, answers with the picture or the reason of the refusal, and exits
 * with its parent. Node's permission model lets its scripts only read our sources and packages (decode-apart.server.ts).
 */
import { PictureRefused, processPicture } from './pictures.server.ts'
import type { PictureAnswer } from './decode-apart.server.ts'

const answer = (message: PictureAnswer) => process.send!(message)

process.on('message', (bytes: Uint8Array) => {
  processPicture(Buffer.from(bytes)).then(
    (picture) => answer({ picture }),
    (error: unknown) => {
      if (!(error instanceof PictureRefused)) throw error
      answer({ refused: error.reason })
    },
  )
})
process.on('disconnect', () => process.exit())
