import type { Ctx } from '#src/kit/context.ts'
import { isEnquiry } from './draft-fields.ts'

/**
 * A later domain's part in a new listing that was begun for something of its own: this one may not ask it (CONTRIBUTING.md, the line), so
 * it is told here, in the transaction that makes the listing. Set once, when the calls are put together (enquiries/api.server.ts).
 */
type AnswerEnquiry = (ctx: Ctx, enquiryId: number, listingId: number) => Promise<void>
let answerEnquiry: AnswerEnquiry | undefined

export function onAnswer(answer: AnswerEnquiry): void {
  answerEnquiry = answer
}

/** `enquiryId` as the draft has it. */
export async function tellOfNewListing(ctx: Ctx, enquiryId: string | undefined, listingId: number): Promise<void> {
  if (isEnquiry(enquiryId)) await answerEnquiry?.(ctx, Number(enquiryId), listingId)
}
