/** How often a test tries: a little in everyday runs, much in `npm run test:deep`. */
export const often = (everyday: number, deep: number): number => (process.env.DEEP === '1' ? deep : everyday)
