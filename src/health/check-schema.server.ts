import { z } from 'zod'
import { commentText } from '#src/verification/verify-listing.server.ts'
import { checkDay, findings } from './schemas.ts'

/** The form on the product page's Veterinary tab. */
export const checkForm = z.object({
  approved: z.enum(['yes', 'no'], 'field_check_approved_blank').transform((value) => value === 'yes'),
  checkedOn: checkDay,
  comments: commentText('field_check_comments_blank', 'field_comment_long'),
  ...findings.shape,
})
