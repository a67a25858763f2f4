/** How often a test tries: a little in everyday runs, much in `npm run test:deep`. */
export const often = <T = number>(everyday: T, deep: T): T => (process.env.DEEP === '1' ? deep : everyday)
