import type { Ctx } from '#src/kit/context.ts'
import { isEnquiry } from '#src/selling/unsent/draft-fields.ts'

/**
 * Hook for a later domain: a new listing may have been begun for an enquiry, and this domain may not import that one (CONTRIBUTING.md, the
 * line). The hook runs in the transaction that makes the listing. Set once, when the API is assembled (enquiries/api.server.ts).
 */
type AnswerEnquiry = (ctx: Ctx, enquiryId: number, listingId: number) => Promise<void>
let answerEnquiry: AnswerEnquiry | undefined

export function onAnswer(answer: AnswerEnquiry): void {
  answerEnquiry = answer
}

/** `enquiryId` as the draft has it. */
export async function notifyOfNewListing(ctx: Ctx, enquiryId: string | undefined, listingId: number): Promise<void> {
  if (isEnquiry(enquiryId)) await answerEnquiry?.(ctx, Number(enquiryId), listingId)
}
