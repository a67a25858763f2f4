/** The state of a review that an admin saw before a decision, as text for a form: when it was written and when it was last decided. */
export const seenReview = ({ updatedAt, decidedAt }: { updatedAt: Date; decidedAt: Date | null }): string =>
  `${updatedAt.getTime()}.${decidedAt?.getTime() ?? 0}`

export const isSeenReview = (text: string): boolean => /^\d{1,15}\.\d{1,15}$/.test(text)
