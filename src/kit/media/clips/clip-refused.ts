export type ClipRefusal =
  | 'not-a-clip'
  | 'broken'
  | 'too-large-bytes'
  | 'too-long'
  | 'no-video'
  | 'no-sound'
  | 'other-codec'
  | 'other-sound'
  | 'odd-size'
  | 'too-many-tracks'

export class ClipRefused extends Error {
  readonly reason: ClipRefusal

  constructor(reason: ClipRefusal, options?: ErrorOptions) {
    super(`Clip refused: ${reason}`, options)
    this.name = 'ClipRefused'
    this.reason = reason
  }
}
