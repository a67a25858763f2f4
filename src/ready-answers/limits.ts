/** The smallest text box for answers takes three hundred characters (content/support/ticket-schemas.ts). */
export const LONGEST_ANSWER = 300
/** With more answers, finding one takes longer than writing it. */
export const MOST_ANSWERS = 20
